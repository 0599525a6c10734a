// The statements of the contract, one row per group of statements that one request settles. A row throws when the deployment
// does not conform; a row with `decision` conforms to that decision that it names, not to the letter.

import assert from 'node:assert/strict'
import { ask } from '../support/http/ask.ts'
import type { Json } from './conformity-facts.ts'
import { fields, type Row, refusal, types } from './conformity-row.ts'

export const resourceRows: readonly Row[] = [
  {
    section: '0',
    statements: 1,
    statement: 'methods are at /v1.0/METHOD',
    seen: 'getBalance 200; /v1, /V1.0 and the bare name 404',
    run: async ({ get }, world) => {
      assert.equal((await get('getBalance')).status, 200)
      for (const path of ['/V1.0/getBalance', '/v1/getBalance', '/getBalance']) {
        assert.equal((await ask(world.served.base + path, { headers: world.service.bearer })).json['code'], 404, path)
      }
    },
  },
  {
    section: '0',
    statements: 1,
    statement: 'a second address serves plain HTTP',
    seen: 'getBalance over the alternative port: 200',
    run: async (_, { served, service }) => {
      assert.equal((await ask(`${served.alternative}/v1.0/getBalance`, { headers: service.bearer })).status, 200)
    },
  },
  {
    section: '1',
    statements: 1,
    statement: 'the code is the last four digits of the caller number',
    seen: 'code 0042: `verifications show` has a caller number that ends with it',
    run: ({ shownFlash }) => assert.match(String(shownFlash['caller_number']), /0042$/),
  },
  {
    section: '1',
    statements: 2,
    statement: 'the client gives the code, or one is chosen',
    seen: '"0042" comes back; without a code four digits',
    run: ({ flash, generated }) => {
      assert.equal(flash.started['code'], '0042')
      assert.match(String(generated.started['code']), /^\d{4}$/)
    },
  },
  {
    section: '1',
    statements: 2,
    statement: 'spoken codes and mixed calls',
    seen: 'voice and mix end with call_status 1',
    run: ({ voice, mix }) => {
      assert.deepEqual([voice.ended['call_status'], mix.ended['call_status']], [1, 1])
    },
  },
  {
    section: '1',
    statements: 1,
    statement: 'inboundCallWaiting returns a number to call',
    seen: 'confirmation_number with eleven digits',
    run: ({ webhook }) => assert.match(String(webhook.waiting['confirmation_number']), /^\d{11}$/),
  },
  {
    section: '1, 6',
    statements: 1,
    statement: 'a call from that phone causes the webhook',
    seen: 'the test number calls, one POST arrives; real calls: tests/telephony/inbound.test.ts',
    run: ({ webhook }) => assert(webhook.received),
  },
  {
    section: '1',
    statements: 5,
    statement: 'five methods only inform',
    seen: 'getInfo, checkPhone, getAccount, getService, getBalance: 200',
    run: ({ answers }) => {
      for (const [name, { status }] of answers) assert.equal(status, 200, name)
    },
  },
  {
    section: '1.1, 1.2',
    statements: 3,
    statement: 'HTTP; parameters of a GET in the query, of a POST in JSON',
    seen: 'both ways give the same fields',
    run: ({ answers }) => {
      for (const method of ['getAccount', 'getService', 'getBalance', 'getInfo']) {
        assert.deepEqual(
          Object.keys(answers.get(`GET ${method}`)?.json ?? {}),
          Object.keys(answers.get(`POST ${method}`)?.json ?? {}),
        )
      }
    },
  },
  {
    section: '1.3',
    statements: 1,
    statement: 'every body is JSON',
    seen: '400, 401, 404, 405, 413, 415 included',
    run: async (_, { served: { base }, service: { bearer } }) => {
      const long = 'x'.repeat(17_000)
      for (const [path, request, status] of [
        ['getInfo', {}, 400],
        ['none', {}, 404],
        ['getBalance', { method: 'PUT' }, 405],
        ['initCall', { method: 'POST', body: { phone: long } }, 413],
        ['initCall', { method: 'POST', body: 'a', headers: { 'content-type': 'text/xml' } }, 415],
      ] as const) {
        const headers = { ...bearer, ...('headers' in request ? request.headers : {}) }
        assert.equal((await ask(`${base}/v1.0/${path}`, { ...request, headers })).status, status, path)
      }
      assert.equal((await ask(`${base}/v1.0/getBalance`)).status, 401)
    },
  },
  {
    section: '1.4',
    statements: 1,
    statement: 'success is HTTP 200 with a body',
    seen: 'all methods',
    run: ({ answers }) => assert([...answers.values()].every(({ status, text }) => status === 200 && text.length > 2)),
  },
  {
    section: '1.5',
    statements: 2,
    statement: 'failure is an error object, to be retried later',
    seen: 'status false, error, code; Retry-After where a retry helps',
    run: async ({ get }) => refusal(get('getInfo'), 2),
  },
  {
    section: '1.6',
    statements: 1,
    statement: '79000000001 always succeeds',
    seen: 'call_status 1',
    run: ({ test1 }) => assert.equal(test1.ended['call_status'], 1),
  },
  {
    section: '1.6',
    statements: 1,
    statement: '79000000002 always fails',
    seen: 'status true, then call_status 0',
    decision: 'initCall accepts it like any other; getInfo says 0',
    run: ({ test2 }) => assert.deepEqual([test2.started['status'], test2.ended['call_status']], [true, 0]),
  },
  {
    section: '1.6',
    statements: 1,
    statement: 'tests are not billed',
    seen: 'cost 0, also of checkPhone',
    run: ({ test1, checked }) => assert.deepEqual([test1.ended['cost'], checked.get('79000000001')?.['cost']], [0, 0]),
  },
  {
    section: '1.6',
    statements: 1,
    statement: 'tests are marked in the web account',
    seen: '`verifications show` marks them',
    decision: 'the dashboard comes later; the command line has it',
    run: ({ shownTest }) => assert.equal(shownTest['test'], true),
  },
  {
    section: '1.7',
    statements: 1,
    statement: 'key and service ID come from the web account',
    seen: '`services create` shows them once',
    decision: 'the dashboard comes later; the command line has it',
    run: (_, { service }) => assert(service.key.length === 32 && service.serviceId > 0),
  },
  {
    section: '1.8',
    statements: 3,
    statement: 'numbers are stored as hash and mask and shown as mask',
    seen: '7907***… in responses; storage: tests/integration/privacy.test.ts',
    run: ({ flash }) => assert.match(String(flash.started['phone']), /^7907\*{3}\d{4}$/),
  },
  {
    section: '2',
    statements: 1,
    statement: 'vendor_id of a response is uid of a request',
    seen: 'getInfo finds it',
    run: ({ flash }) => assert.equal(flash.ended['vendor_id'], flash.started['vendor_id']),
  },
  {
    section: '2.1',
    statements: 4,
    statement: 'status, vendor_id, init_time, call_status',
    seen: 'bool, integer, Unix time, -1 or 0 or 1',
    run: ({ flash }) =>
      types(flash.ended, { status: 'boolean', vendor_id: 'number', init_time: 'number', call_status: 'number' }),
  },
  {
    section: '2.1',
    statements: 2,
    statement: 'is_repeated, repeatable',
    seen: 'false and false while repeats are off',
    run: ({ flash }) => assert.deepEqual([flash.ended['is_repeated'], flash.ended['repeatable']], [false, false]),
  },
  {
    section: '2.1',
    statements: 3,
    statement: 'first_vendor_id, repeat_times, repeated_vendor_ids',
    seen: 'present on a service with repeats',
    run: ({ repeats }) => {
      assert.equal(repeats.infoOfRepeat['first_vendor_id'], repeats.started['vendor_id'])
      assert.equal(repeats.afterOne['repeat_times'], 1)
      assert.deepEqual(repeats.last['repeated_vendor_ids'], [repeats.first['vendor_id'], repeats.second['vendor_id']])
    },
  },
  {
    section: '2.1',
    statements: 5,
    statement: 'unique, client, phone, code, country_code',
    seen: 'as passed, masked, four digits, RU and KZ',
    run: ({ flash, kazakh }) => {
      fields(flash.ended, 'unique', 'client', 'phone', 'code')
      assert.deepEqual([flash.ended['country_code'], kazakh.ended['country_code']], ['RU', 'KZ'])
    },
  },
  {
    section: '2.1',
    statements: 4,
    statement: 'phone_info with operator, region, mnp; may be empty',
    seen: 'an array with one object, or none',
    decision: 'the shape of the sample: an array',
    run: ({ flash }) => assert(Array.isArray(flash.ended['phone_info'])),
  },
  {
    section: '2.1',
    statements: 2,
    statement: 'cost, and the balance before the charge',
    seen: 'numbers; a failed call costs 0',
    run: ({ flash, refused }) => {
      types(flash.ended, { cost: 'number', balance: 'number' })
      assert.equal(refused.ended['cost'], 0)
    },
  },
  {
    section: '2.2',
    statements: 7,
    statement: 'the fields of initCall',
    seen: 'unique_request_id and exists only with unique; exists false, then true',
    run: ({ flash, generated, replayed }) => {
      fields(flash.started, 'status', 'vendor_id', 'phone', 'code', 'client', 'unique_request_id', 'exists')
      assert(!('exists' in generated.started))
      assert.deepEqual(
        [flash.started['exists'], replayed['exists'], replayed['vendor_id']],
        [false, true, flash.started['vendor_id']],
      )
    },
  },
  {
    section: '2.3',
    statements: 4,
    statement: 'the fields of inboundCallWaiting',
    seen: 'status, vendor_id, phone, confirmation_number',
    run: ({ webhook }) =>
      types(webhook.waiting, {
        status: 'boolean',
        vendor_id: 'number',
        phone: 'string',
        confirmation_number: 'string',
      }),
  },
  {
    section: '2.4',
    statements: 11,
    statement: 'source to phone_format, cost, balance of checkPhone',
    seen: '"+7 909 100-00-00" is 79091000000, RU, mobile',
    run: ({ checked }) => {
      const one = checked.get('+7 909 100-00-00')
      assert.deepEqual(
        [
          one?.['mobile'],
          one?.['phone'],
          one?.['country_iso'],
          one?.['country_code'],
          one?.['number'],
          one?.['country'],
          one?.['phone_format'],
        ],
        [1, 79091000000, 'RU', 7, 9091000000, 'Russia', '8 (909) 100-00-00'],
      )
      fields(one, 'source', 'cost', 'balance')
      assert(one && !('error' in one))
    },
  },
  {
    section: '2.4',
    statements: 5,
    statement: 'mnc, provider, company, region, city',
    seen: 'always present; empty or 0 where unknown',
    run: ({ checked }) => {
      for (const one of checked.values())
        types(one, { mnc: 'number', provider: 'string', company: 'string', region: 'string', city: 'string' })
    },
  },
  {
    section: '2.4',
    statements: 1,
    statement: 'an invalid number is reported in the response',
    seen: '"hello": the whole record with error, cost 0',
    run: ({ checked }) => {
      const one = checked.get('hello')
      assert.deepEqual(
        [typeof one?.['error'], one?.['cost'], one?.['phone'], Object.keys(one ?? {}).length],
        ['string', 0, 0, 16],
      )
    },
  },
  {
    section: '2.5',
    statements: 6,
    statement: 'getAccount: no status; id, telegram_id, two_auth, email, created',
    seen: 'as declared',
    run: ({ answers }) => {
      const account = answers.get('GET getAccount')?.json
      assert(account && !('status' in account))
      types(account, { id: 'number', telegram_id: 'number', two_auth: 'boolean', email: 'string', created: 'number' })
    },
  },
  {
    section: '2.5',
    statements: 3,
    statement: 'logs: the last fifty, with action and created',
    seen: 'an array of at most 50',
    run: ({ answers }) => {
      const logs = answers.get('GET getAccount')?.json['logs'] as Json[]
      assert(logs.length > 0 && logs.length <= 50)
      types(logs[0], { action: 'string', created: 'number' })
    },
  },
  {
    section: '2.5',
    statements: 1,
    statement: 'logs: ip is an address',
    seen: '127.0.0.1 for the command line',
    decision: 'the command line acts from 127.0.0.1',
    run: ({ logs }) => assert(logs.length > 1 && logs.every(({ ip }) => ip === '127.0.0.1')),
  },
  {
    section: '2.5',
    statements: 1,
    statement: 'logs: user_agent',
    seen: 'the program and its version, never an operating-system user',
    run: ({ logs }) => {
      for (const { user_agent: agent } of logs) assert.match(String(agent), /^ringproof \d+\.\d+\.\d+(-\S+)?$/)
    },
  },
  {
    section: '2.5',
    statements: 1,
    statement: 'updated is the last activity',
    seen: 'a Unix time',
    decision: 'moved by actions on the account, not by API calls',
    run: ({ answers }) => types(answers.get('GET getAccount')?.json, { updated: 'number' }),
  },
  {
    section: '2.6',
    statements: 6,
    statement: 'the fields of getService',
    seen: 'status, service_status, name, creation_time, owner, use_direction',
    decision: 'service_status is the service ID',
    run: ({ answers }) =>
      fields(
        answers.get('GET getService')?.json,
        'status',
        'service_status',
        'name',
        'creation_time',
        'owner',
        'use_direction',
      ),
  },
  {
    section: '2.6',
    statements: 1,
    statement: 'last_request',
    seen: 'moved by starts and lookups',
    decision: 'not by replays and readings',
    run: ({ answers }) => assert(Number(answers.get('GET getService')?.json['last_request']) > 0),
  },
  {
    section: '2.7',
    statements: 4,
    statement: 'the fields of getBalance',
    seen: 'status, rub_balance, tariff, tariff_name',
    run: ({ balanceBefore }) => fields(balanceBefore, 'status', 'rub_balance', 'tariff', 'tariff_name'),
  },
]
