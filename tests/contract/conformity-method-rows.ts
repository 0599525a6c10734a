// The second half of the table: states, methods, authentication, webhooks, errors, limits.

import assert from 'node:assert/strict'
import { refusals } from '@ringproof/contract/errors.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber } from '../support/process/phones.ts'
import { clientOf, type Facts, type Json } from './conformity-facts.ts'
import { answering, fields, type Row, refusal, types } from './conformity-row.ts'

const everyCode = [
  0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 18, 19, 20, 21, 50, 401, 404, 405, 429, 500, 1001, 1002, 1003, 1004, 1005,
]

// A service that is refused: its code, HTTP status, settings and balance.
const refusedServices: readonly (readonly [number, number, Readonly<Record<string, string>>, number?])[] = [
  [4, 403, { state: 'off' }],
  [9, 403, { geography: 'KZ' }],
  [20, 400, { modes: 'mix' }],
  [50, 429, { 'verifications-hour-max': '0' }],
  [1001, 403, {}],
  [1002, 402, {}, 0],
  [1003, 403, { addresses: '203.0.113.0/24' }],
  [1004, 403, { state: 'archived' }],
  [1005, 403, {}],
]

const withWebhook =
  (changed: Json) =>
  (facts: Facts): Facts => {
    const { received } = facts.webhook
    assert(received)
    const body = JSON.stringify({ ...(JSON.parse(received.body) as Json), ...changed })
    return { ...facts, webhook: { ...facts.webhook, received: { ...received, body } } }
  }

export const methodRows: readonly Row[] = [
  {
    section: '3, 8',
    statements: 2,
    statement: 'call_status is -1, 0 or 1; 0 and 1 are final',
    seen: 'first -1, then one final value, read again at the end',
    run: ({ flash, rereads }) => {
      assert.deepEqual([flash.first['call_status'], flash.ended['call_status']], [-1, 1])
      assert.deepEqual(rereads, { succeeded: 1, failed: 0 })
    },
    faults: [(facts) => ({ ...facts, rereads: { ...facts.rereads, succeeded: 0 } })],
  },
  {
    section: '3, 8',
    statements: 1,
    statement: '-1 lasts a second to a minute',
    seen: 'a refused call goes from -1 to 0',
    decision: 'at most 60 s, and as short as the call; an inbound wait lasts as long as it waits',
    run: ({ refused }) => {
      assert([-1, 0].includes(Number(refused.first['call_status'])))
      assert.equal(refused.ended['call_status'], 0)
    },
    faults: [(facts) => ({ ...facts, refused: { ...facts.refused, first: { call_status: 1 } } })],
  },
  {
    section: '4',
    statements: 8,
    statement: 'every method by GET and POST',
    seen: 'sixteen requests, initRepeat to a service that has it: none 404 or 405',
    run: async ({ get, post, compatible }) => {
      let asked = 0
      for (const method of methods) {
        const by = method === 'initRepeat' ? compatible : { get, post }
        for (const { json } of [await by.get(method), await by.post(method)]) {
          assert(![404, 405].includes(Number(json['code'])), method)
          asked++
        }
      }
      assert.equal(asked, 16)
      assert.equal((await get('initRepeat')).json['code'], 405)
    },
    faults: [answering((asked, method) => (method === 'getService' ? { json: { code: 405 } } : asked))],
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
    seen: 'a replay has the same ID; balance and verifications stay; 65 characters code 2',
    run: async ({ flash, replay: { json, before, after }, post }) => {
      assert.deepEqual([json['vendor_id'], json['code']], [flash.started['vendor_id'], '0042'])
      assert.deepEqual([after.balance, after.verifications], [before.balance, before.verifications])
      await refusal(post('initCall', { phone: '79000000001', unique: 'u'.repeat(65) }), 2)
    },
    faults: [
      (facts) => ({ ...facts, replay: { ...facts.replay, after: { ...facts.replay.after, balance: 0 } } }),
      (facts) => ({ ...facts, replay: { ...facts.replay, after: { ...facts.replay.after, verifications: 0 } } }),
    ],
  },
  {
    section: '4.1',
    statements: 3,
    statement: 'voice in Russia and Kazakhstan, mix in Russia, at their own price',
    seen: 'voice to Kazakhstan accepted, to Belarus code 20; mix to Kazakhstan code 20; three prices',
    run: async ({ flash, voice, mix, post }, world) => {
      const abroad = clientOf(world, await world.newService({ geography: 'RU,KZ,BY' }))
      await refusal(abroad.post('initCall', { phone: '375291000023', voice: true }), 20)
      const kazakh = (await post('initCall', { phone: `7707${freshNumber('200').slice(4)}`, voice: true })).json
      assert.equal(kazakh['status'], true, JSON.stringify(kazakh))
      await refusal(post('initCall', { phone: '77071230180', mix: true }), 20)
      assert.equal(new Set([flash, voice, mix].map(({ ended }) => ended['cost'])).size, 3)
    },
    faults: [answering((asked, _, { voice }) => (voice === true ? { json: { status: false, code: 20 } } : asked))],
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
    seen: 'four spellings of one number; registry: tests/shared/registry.test.ts',
    run: ({ checked }) => {
      for (const text of ['+7 909 100-00-00', '8 (909) 100 00 00', '9091000000', '00 7 909 1000000']) {
        const { source, phone, country_iso: country } = checked.get(text) ?? {}
        assert.deepEqual([source, phone, country], [text, 79091000000, 'RU'])
      }
      assert.equal(checked.get('+44 20 7946 0958')?.['country_iso'], 'GB')
    },
    faults: [(facts) => ({ ...facts, checked: new Map([...facts.checked, ['9091000000', { phone: 9091000000 }]]) })],
  },
  {
    section: '4.6 to 4.8',
    statements: 3,
    statement: 'getAccount, getService, getBalance take no parameters',
    seen: '200 without any, by GET and POST',
    run: ({ answers }) => {
      for (const method of ['getAccount', 'getService', 'getBalance']) {
        for (const verb of ['GET', 'POST'])
          assert.equal(answers.get(`${verb} ${method}`)?.status, 200, `${verb} ${method}`)
      }
    },
    faults: [
      (facts) => ({ ...facts, answers: new Map([...facts.answers].filter(([name]) => name !== 'POST getService')) }),
    ],
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
    seen: 'both empty when isMnp is false; of a ported number: tests/unit/webhook.test.ts',
    run: ({ webhook }) => {
      const body = JSON.parse(webhook.received?.body ?? '{}') as Json
      assert.deepEqual([body['isMnp'], body['operatorName'], body['operatorNameMnp']], [false, '', ''])
    },
    faults: [withWebhook({ operatorName: 'Daisy' })],
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
    seen: 'Standard Webhooks headers; schedule: tests/integration/webhook-retries.test.ts',
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
    run: async ({ checked }, { served: { base } }) => {
      const { json } = await ask(`${base}/v1.0/getBalance`)
      assert.deepEqual(Object.keys(json).toSorted(), ['code', 'error', 'status'])
      assert.deepEqual([json['status'], json['code'], typeof json['error']], [false, 401, 'string'])
      assert.equal(typeof checked.get('hello')?.['error'], 'string')
      assert(!('error' in (checked.get('9091000000') ?? { error: '' })))
    },
    faults: [(facts) => ({ ...facts, checked: new Map([...facts.checked, ['hello', {}]]) })],
  },
  {
    section: '7',
    statements: 1,
    statement: 'codes and HTTP statuses',
    seen: 'the 26 codes of docs/reference/errors.md; 2 to 4, 9, 10, 19, 20, 50, 404, 405 and 1001 to 1005 provoked here',
    decision: 'the catalogue of errors',
    run: async ({ get, post, tooSoon }, world) => {
      assert.equal(tooSoon.status, 429)
      // Rows before sent wrong keys from this address.
      await poll(
        'the address to be served again',
        () => get('getBalance'),
        ({ status }) => status === 200,
      )
      for (const [code, status, settings, balance] of refusedServices) {
        const service = await world.newService(settings, balance)
        if (code === 1001) await world.sql('UPDATE accounts SET blocked_at = now() WHERE id = $1', [service.accountId])
        if (code === 1005)
          await world.sql('UPDATE accounts SET must_verify_phone = true WHERE id = $1', [service.accountId])
        const asked = await clientOf(world, service).post('initCall', { phone: freshNumber('180') })
        assert.deepEqual([asked.json['code'], asked.status], [code, status])
      }
      for (const [code, status, asked] of [
        [2, 400, await get('getInfo')],
        [3, 400, await post('initCall', { phone: '12' })],
        [10, 404, await get('getInfo', { uid: '1' })],
        [404, 404, await get('nothing')],
        [405, 405, await get('initRepeat')],
      ] as const) {
        assert.deepEqual([asked.json['code'], asked.status], [code, status])
      }
      const codes = [...new Set(Object.values(refusals).map(({ code }) => code as number))].toSorted((a, b) => a - b)
      assert.deepEqual(codes, everyCode)
    },
    faults: [answering((asked) => ({ ...asked, status: 200 }))],
  },
  {
    section: '8',
    statements: 1,
    statement: 'company, region and city for Russia only',
    seen: 'empty for +44; filled for Russia: tests/integration/registry.test.ts',
    run: ({ checked }) => {
      const one = checked.get('+44 20 7946 0958')
      assert.deepEqual([one?.['company'], one?.['region'], one?.['city']], ['', '', ''])
    },
    faults: [
      (facts) => ({
        ...facts,
        checked: new Map([...facts.checked, ['+44 20 7946 0958', { company: '', region: 'London', city: '' }]]),
      }),
    ],
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
