// The general statements of the contract, sections 0 and 1, one row per group of statements that one request settles. A row throws when the deployment
// does not conform; a row with `decision` conforms to that decision that it names, not to the letter.

import assert from 'node:assert/strict'
import { ask } from '../support/http/ask.ts'
import { answering, type Row, refusal } from './conformity-row.ts'

export const generalRows: readonly Row[] = [
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
    run: async ({ get, tooSoon }) => {
      await refusal(get('getInfo'), 2)
      assert.equal((await get('getInfo')).headers.has('retry-after'), false)
      assert.deepEqual(Object.keys(tooSoon.json).toSorted(), ['code', 'error', 'status'])
      assert.equal(tooSoon.json['code'], 19)
      assert(Number(tooSoon.headers.get('retry-after')) >= 1)
    },
    faults: [(facts) => ({ ...facts, tooSoon: { ...facts.tooSoon, headers: new Headers() } })],
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
    seen: '`verifications show` marks them and no other; the dashboard: tests/support/web/verification-fixtures.ts',
    run: ({ shownTest, shownFlash }) => assert.deepEqual([shownTest['test'], shownFlash['test']], [true, false]),
    faults: [(facts) => ({ ...facts, shownFlash: { ...facts.shownFlash, test: true } })],
  },
  {
    section: '1.7',
    statements: 1,
    statement: 'key and service ID come from the web account',
    seen: '`services create` shows them once; the dashboard: create-service in tests/integration/listen.test.ts',
    run: async ({ get }, { service }) => {
      assert(service.key.length === 32 && service.serviceId > 0)
      assert.equal((await get('getService')).json['service_status'], service.serviceId)
    },
    faults: [answering(() => ({ json: { status: false, code: 401 } }))],
  },
  {
    section: '1.8',
    statements: 3,
    statement: 'numbers are stored as hash and mask and shown as mask',
    seen: '7907***… in responses; storage: tests/integration/privacy.test.ts',
    run: ({ flash }) => assert.match(String(flash.started['phone']), /^7907\*{3}\d{4}$/),
  },
]
