// The second half of the table: states, methods, authentication, webhooks, errors, limits.

import assert from 'node:assert/strict'
import { refusals } from '@ringproof/contract/errors.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { ask } from '../support/http/ask.ts'
import { clientOf, type Json } from './conformity-facts.ts'
import { fields, type Row, refusal, types } from './conformity-row.ts'

const everyCode = [
  0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 18, 19, 20, 21, 50, 401, 404, 405, 429, 500, 1001, 1002, 1003, 1004, 1005,
]

export const methodRows: readonly Row[] = [
  {
    section: '3, 8',
    statements: 2,
    statement: 'call_status is -1, 0 or 1; 0 and 1 are final',
    seen: 'first -1, then one final value',
    run: ({ flash }) => assert.deepEqual([flash.first['call_status'], flash.ended['call_status']], [-1, 1]),
  },
  {
    section: '3, 8',
    statements: 1,
    statement: '-1 lasts a second to a minute',
    seen: 'a refused call is 0 at once',
    decision: 'at most 60 s, and as short as the call; an inbound wait lasts as long as it waits',
    run: ({ refused }) => assert.equal(refused.ended['call_status'], 0),
  },
  {
    section: '4',
    statements: 8,
    statement: 'every method by GET and POST',
    seen: 'sixteen requests, none 405 but initRepeat where it is off',
    run: async ({ get, post }) => {
      for (const method of methods) {
        if (method === 'initRepeat') continue
        for (const { json } of [await get(method), await post(method)]) assert.notEqual(json['code'], 405, method)
      }
    },
  },
  {
    section: '4.1',
    statements: 2,
    statement: 'phone is required, E.164 digits',
    seen: 'missing code 2; a leading 8, spaces and brackets code 3, with the reason',
    run: async ({ post }) => {
      await refusal(post('initCall'), 2)
      for (const phone of ['89000000001', '+7 (900) 000-00-01', '12']) await refusal(post('initCall', { phone }), 3)
    },
  },
  {
    section: '4.1',
    statements: 3,
    statement: 'code 0001 to 9999, number or text',
    seen: '42 is "0042"; "0000", 10000 and "12a4" code 2',
    run: async ({ numberCode, post }) => {
      assert.equal(numberCode.started['code'], '0042')
      for (const code of ['0000', 10_000, '12a4']) await refusal(post('initCall', { phone: '79000000001', code }), 2)
    },
  },
  {
    section: '4.1',
    statements: 1,
    statement: 'client up to 64 characters',
    seen: '64 accepted, 65 code 2',
    run: async ({ post }) => {
      assert.equal((await post('initCall', { phone: '79000000001', client: 'я'.repeat(64) })).status, 200)
      await refusal(post('initCall', { phone: '79000000001', client: 'я'.repeat(65) }), 2)
    },
  },
  {
    section: '4.1',
    statements: 4,
    statement: 'unique up to 64 characters: same result, no call, no charge',
    seen: 'a replay has the same ID; 65 characters code 2',
    run: async ({ flash, replayed, post }) => {
      assert.deepEqual([replayed['vendor_id'], replayed['code']], [flash.started['vendor_id'], '0042'])
      await refusal(post('initCall', { phone: '79000000001', unique: 'u'.repeat(65) }), 2)
    },
  },
  {
    section: '4.1',
    statements: 3,
    statement: 'voice in Russia and Kazakhstan, mix in Russia, at their own price',
    seen: 'mix to Kazakhstan code 20; three prices',
    run: async ({ flash, voice, mix, post }) => {
      await refusal(post('initCall', { phone: '77071230180', mix: true }), 20)
      assert.equal(new Set([flash, voice, mix].map(({ ended }) => ended['cost'])).size, 3)
    },
  },
  {
    section: '4.2',
    statements: 2,
    statement: 'uid is a required number',
    seen: 'missing, "007" and 1.5 code 2; unknown code 10',
    run: async ({ get }) => {
      await refusal(get('getInfo'), 2)
      for (const uid of ['007', '1.5']) await refusal(get('getInfo', { uid }), 2)
      await refusal(get('getInfo', { uid: '1' }), 10)
    },
  },
  {
    section: '4.3, 9',
    statements: 1,
    statement: 'initRepeat is deprecated',
    seen: '405 with Deprecation and Sunset, no Allow',
    run: async ({ get }) => {
      const { status, headers } = await get('initRepeat', { uid: '1' })
      assert.deepEqual(
        [status, headers.has('deprecation'), headers.has('sunset'), headers.has('allow')],
        [405, true, true, false],
      )
    },
  },
  {
    section: '4.3',
    statements: 5,
    statement: 'two free repeats in five minutes, same code, same phone, free_repeated',
    seen: 'two accepted, the third code 12',
    decision: 'where the service has repeats on',
    run: ({ repeats }) => {
      const { started, first, second, third } = repeats
      for (const one of [first, second])
        assert.deepEqual([one['free_repeated'], one['code'], one['phone']], [true, '0417', started['phone']])
      assert.equal(third['code'], 12)
    },
  },
  {
    section: '4.4',
    statements: 2,
    statement: 'inboundCallWaiting requires phone and callback_url',
    seen: 'code 2 each',
    run: async ({ post }) => {
      await refusal(post('inboundCallWaiting', { phone: '79000000001' }), 2)
      await refusal(post('inboundCallWaiting', { callback_url: 'https://shop.example/' }), 2)
    },
  },
  {
    section: '4.5',
    statements: 4,
    statement: 'checkPhone reads free text and the numbering registry',
    seen: 'three spellings; registry: tests/shared/registry.test.ts',
    run: ({ checked }) => assert.equal(checked.get('+44 20 7946 0958')?.['country_iso'], 'GB'),
  },
  {
    section: '4.6 to 4.8',
    statements: 3,
    statement: 'getAccount, getService, getBalance take no parameters',
    seen: '200',
    run: ({ answers }) => assert.equal(answers.get('GET getBalance')?.status, 200),
  },
  {
    section: '4.9',
    statements: 1,
    statement: 'the root path',
    seen: 'GET and POST with a key: name, version, docs',
    run: async (_, { served: { base }, service: { bearer } }) => {
      for (const request of [{}, { method: 'POST', body: {} }])
        fields((await ask(`${base}/`, { headers: bearer, ...request })).json, 'status', 'name', 'version', 'docs')
    },
  },
  {
    section: '5',
    statements: 4,
    statement: 'key in the query of a GET, in JSON or in the header',
    seen: '200 each',
    run: async ({ get }, world) => {
      const { byQuery, byBody } = clientOf(world, world.service)
      for (const { status } of [await byQuery('getBalance'), await byBody('getBalance'), await get('getBalance')])
        assert.equal(status, 200)
    },
  },
  {
    section: '5',
    statements: 1,
    statement: 'failed authentication is code 401',
    seen: 'no key: 401',
    run: async (_, { served: { base } }) => assert.equal((await ask(`${base}/v1.0/getBalance`)).json['code'], 401),
  },
  {
    section: '5',
    statements: 1,
    statement: 'several schemes at once',
    seen: 'agreeing 200, disagreeing 401',
    decision: 'header before body before query; a contradiction is 401',
    run: async (_, { served: { base }, service, compatible }) => {
      const url = `${base}/v1.0/getBalance?key=${compatible.key}&service_id=${compatible.serviceId}`
      assert.equal((await ask(url, { headers: service.bearer })).status, 401)
      assert.equal((await ask(url, { headers: compatible.bearer })).status, 200)
    },
  },
  {
    section: '6',
    statements: 9,
    statement: 'the webhook: a POST of JSON with eight fields',
    seen: 'callId, callbackLink, clientNumber, confirmationNumber, isMnp, operatorName, operatorNameMnp, regionName',
    run: ({ webhook: { received, waiting, callbackUrl } }) => {
      const body = JSON.parse(received?.body ?? '{}') as Json
      assert.equal(Object.keys(body).length, 8)
      assert.deepEqual(
        [body['callId'], body['callbackLink'], body['confirmationNumber'], typeof body['isMnp']],
        [String(waiting['vendor_id']), callbackUrl, waiting['confirmation_number'], 'boolean'],
      )
      types(body, { operatorName: 'string', operatorNameMnp: 'string', regionName: 'string' })
    },
  },
  {
    section: '6',
    statements: 2,
    statement: 'operator names only for a ported number',
    seen: 'both empty when isMnp is false',
    run: ({ webhook }) => {
      const body = JSON.parse(webhook.received?.body ?? '{}') as Json
      assert.deepEqual([body['isMnp'], body['operatorName'], body['operatorNameMnp']], [false, '', ''])
    },
  },
  {
    section: '6',
    statements: 1,
    statement: 'clientNumber is the number of the request',
    seen: '"+7900…" comes back without the plus',
    decision: 'digits without a plus',
    run: ({ webhook }) =>
      assert.equal((JSON.parse(webhook.received?.body ?? '{}') as Json)['clientNumber'], '79000000001'),
  },
  {
    section: '6',
    statements: 4,
    statement: 'life of a wait, retries, acceptance, signature',
    seen: 'Standard Webhooks headers; schedule: tests/integration/webhooks.slow.test.ts',
    decision: '120 s, 2xx within 10 s, eight retries, signed',
    run: ({ webhook }) => {
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        assert(webhook.received?.headers[name], name)
    },
  },
  {
    section: '7',
    statements: 3,
    statement: 'the error object; 401; the error of checkPhone',
    seen: 'three fields; checkPhone reports it in its response',
    run: async (_, { served: { base } }) =>
      assert.deepEqual(Object.keys((await ask(`${base}/v1.0/getBalance`)).json).toSorted(), [
        'code',
        'error',
        'status',
      ]),
  },
  {
    section: '7',
    statements: 1,
    statement: 'codes and HTTP statuses',
    seen: 'the 26 codes of docs/reference/errors.md; each provoked in tests/contract',
    decision: 'the catalogue of errors',
    run: () => {
      const codes = [...new Set(Object.values(refusals).map(({ code }) => code as number))].toSorted((a, b) => a - b)
      assert.deepEqual(codes, everyCode)
    },
  },
  {
    section: '8',
    statements: 1,
    statement: 'company, region and city for Russia only',
    seen: 'empty for +44',
    run: ({ checked }) => {
      const one = checked.get('+44 20 7946 0958')
      assert.deepEqual([one?.['company'], one?.['region'], one?.['city']], ['', '', ''])
    },
  },
  {
    section: '8',
    statements: 1,
    statement: 'request rates',
    seen: '200 requests at once: at least 30 are served, some get 429 with Retry-After',
    decision: '30 requests and 5 failed authentications a second',
    run: async (_, { rated, service }) => {
      const all = await Promise.all(
        Array.from({ length: 200 }, () => ask(`${rated.base}/v1.0/getBalance`, { headers: service.bearer })),
      )
      const limited = all.filter(({ status }) => status === 429)
      assert(limited.length > 0 && limited.every(({ headers }) => headers.has('retry-after')))
      assert(all.filter(({ status }) => status === 200).length >= 30)
    },
  },
  {
    section: '9',
    statements: 2,
    statement: 'the version is in the path; deprecated fields stay',
    seen: '/v1.0, is_repeated and repeatable present',
    run: ({ flash }) => fields(flash.ended, 'is_repeated', 'repeatable'),
  },
]
