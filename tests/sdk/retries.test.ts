// What the SDK retries, what it never retries, and how it maps every response. Against a scripted server: the real one
// cannot be made to fail in all these ways.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusals } from '@ringproof/contract/errors.ts'
import { examples } from '@ringproof/contract/examples.ts'
import { methods } from '@ringproof/contract/methods.ts'
import manifest from '../../sdk/package.json' with { type: 'json' }
import * as client from '../../sdk/src/client.ts'
import { errorByCode } from '../../sdk/src/error-of-code.ts'
import { version } from '../../sdk/src/transport.ts'
import { createScriptedServer, json, type ScriptedResponse } from '../support/http/scripted-server.ts'

const server = await createScriptedServer()
const other = await createScriptedServer()
const credentials = { key: 'k'.repeat(32), serviceId: 154 }
const ringproof = new client.Ringproof({ baseUrl: `${server.base}/`, ...credentials })
const hasty = new client.Ringproof({ baseUrl: server.base, ...credentials, retriesMax: 0 })
const started = json(examples.initCall.response)
const phone = '79000000001'

const refusal = (code: number, status: number, headers = {}) =>
  json({ status: false, error: 'No.', code }, status, headers)
const keysSent = () => server.asked.map(({ body }) => (JSON.parse(body) as Record<string, unknown>)['unique'])

test('every method posts its parameters with the key in the header, and returns the response', async () => {
  for (const method of methods) {
    const { request, response } = examples[method]
    server.script(json(response))
    assert.deepEqual(await (ringproof[method] as (request: unknown) => Promise<unknown>)(request), response, method)
    const [asked] = server.asked
    assert.equal(asked?.path, `/v1.0/${method}`)
    assert.equal(asked.headers['authorization'], `Bearer ${credentials.key}.154`)
    assert.equal(asked.headers['user-agent'], `ringproof-client/${version}`)
    assert.deepEqual(JSON.parse(asked.body), request, method)
  }
  assert.equal(version, manifest.version)
})

test('methods with one parameter take its bare value, and a wrong argument is named before anything is sent', async () => {
  for (const [method, parameter, value] of [
    ['getInfo', 'uid', 5],
    ['initRepeat', 'uid', '5'],
    ['checkPhone', 'phone', '8 900 000-00-01'],
  ] as const) {
    server.script(json(examples[method].response))
    await ringproof[method](value)
    assert.deepEqual(JSON.parse(server.asked[0]?.body ?? ''), { [parameter]: value }, method)
  }
  server.script()
  const untyped = ringproof as unknown as Record<string, (request?: unknown) => Promise<unknown>>
  for (const [method, argument, sentence] of [
    ['getInfo', undefined, /^Pass uid as a number, a string, or in an object: \{ uid: … \}\.$/],
    ['checkPhone', null, /^Pass phone as/],
    ['initCall', phone, /^Pass the parameters of initCall in an object: initCall\(\{ phone: … \}\)\.$/],
    ['inboundCallWaiting', phone, /inboundCallWaiting\(\{ phone: …, callback_url: … \}\)/],
  ] as const) {
    await assert.rejects(async () => untyped[method]?.(argument), { name: 'TypeError', message: sentence }, method)
  }
  assert.equal(server.asked.length, 0)
})

test('initCall generates a new idempotency key when none is given, and repeats it with every attempt', async () => {
  server.script('reset', { status: 502, body: '<html>' }, started)
  await ringproof.initCall({ phone })
  const [first, ...rest] = keysSent()
  assert.match(String(first), /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, [first, first])
  server.script(started)
  await ringproof.initCall({ phone, unique: undefined })
  assert.notEqual(keysSent()[0], first)
})

test('a given idempotency key is sent', async () => {
  server.script('reset', started)
  await ringproof.initCall({ phone, unique: 'order-17' })
  assert.deepEqual(keysSent(), ['order-17', 'order-17'])
})

// The first response, and how many requests a repeatable and a non-repeatable method then sends; the second response is
// good.
const passing: [title: string, response: ScriptedResponse, repeatable: number, other: number][] = [
  ['a lost response', 'reset', 2, 1],
  ['a gateway that fails', { status: 504, body: '' }, 2, 1],
  ['our fault', refusal(500, 500), 2, 1],
  ['an internal error with status 200', refusal(500, 200), 2, 1],
  ['a call that cannot be started now', refusal(5, 503, { 'retry-after': '0' }), 2, 2],
  ['the same for longer than anybody waits', refusal(5, 503, { 'retry-after': '60' }), 1, 1],
  ['too many requests', refusal(429, 429, { 'retry-after': '0' }), 2, 2],
  ['too many requests without a time', refusal(429, 429), 1, 1],
  ['too many requests, said by a proxy', { status: 429, headers: { 'retry-after': '0' }, body: '' }, 2, 2],
  ['a number called too soon', refusal(19, 429, { 'retry-after': '1' }), 1, 1],
  ['a cap', refusal(50, 429, { 'retry-after': '1' }), 1, 1],
  ['a wrong parameter', refusal(2, 400), 1, 1],
  ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' }, 1, 1],
]
for (const [title, response, repeatable, once] of passing) {
  test(`${title}: ${repeatable} requests where a retry is safe, ${once} where it would cost`, async () => {
    const ways: [count: number, good: unknown, call: () => Promise<unknown>][] = [
      [repeatable, examples.initCall.response, () => ringproof.initCall({ phone })],
      [repeatable, examples.getBalance.response, () => ringproof.getBalance()],
      [once, examples.checkPhone.response, () => ringproof.checkPhone({ phone })],
      [once, examples.initRepeat.response, () => ringproof.initRepeat({ uid: 1 })],
      [
        once,
        examples.inboundCallWaiting.response,
        () => ringproof.inboundCallWaiting({ phone, callback_url: 'https://x.example' }),
      ],
    ]
    for (const [count, good, call] of ways) {
      server.script(response, json(good))
      if (count === 1) await assert.rejects(call(), client.RingproofError)
      else assert.deepEqual(await call(), good)
      assert.equal(server.asked.length, count)
    }
  })
}

test('Retry-After is waited for', async () => {
  server.script(refusal(429, 429, { 'retry-after': '2' }), json(examples.getBalance.response))
  const startedMs = performance.now()
  await ringproof.getBalance()
  assert(performance.now() - startedMs > 1_990)
})

test('after three attempts the error is thrown, with the idempotency key to retry with', async () => {
  server.script('reset')
  const failure = await ringproof.initCall({ phone, unique: 'order-18' }).catch((error: unknown) => error)
  assert(failure instanceof client.ConnectionError)
  assert.equal(failure.unique, 'order-18')
  assert(failure.cause instanceof Error)
  assert.equal(server.asked.length, 3)
})

test('a silent server times out after the time of one attempt', async () => {
  server.script('silence', json(examples.getBalance.response))
  const impatient = new client.Ringproof({ baseUrl: server.base, ...credentials, timeoutMs: 50 })
  assert.deepEqual(await impatient.getBalance(), examples.getBalance.response)
  assert.equal(server.asked.length, 2)
})

test('the alternative address is used only if configured and the first is unreachable', async () => {
  server.script('reset')
  other.script(started)
  await assert.rejects(ringproof.initCall({ phone }), client.ConnectionError)
  assert.equal(other.asked.length, 0)
  const both = new client.Ringproof({ baseUrl: server.base, plainHttpUrl: other.base, ...credentials })
  server.script('reset')
  await both.initCall({ phone, unique: 'order-19' })
  assert.deepEqual([server.asked.length, other.asked.length], [1, 1])
  assert(other.asked[0]?.body.includes('order-19'))
  server.script(refusal(2, 400))
  await assert.rejects(both.initCall({ phone }), client.ParameterError)
  assert.equal(other.asked.length, 1)
})

test('a plain HTTP base URL is accepted only for this machine', () => {
  for (const baseUrl of ['http://ringproof.example', 'ftp://127.0.0.1', 'http://127.0.0.1.example', 'http://[::2]']) {
    assert.throws(() => new client.Ringproof({ baseUrl, ...credentials }), TypeError, baseUrl)
  }
  for (const baseUrl of ['https://ringproof.example', 'http://localhost:1', 'http://[::1]:8080', 'http://127.0.0.1']) {
    assert(new client.Ringproof({ baseUrl, ...credentials }))
  }
})

test('every code of the catalogue throws its own error class, in both status styles', async () => {
  const codes = new Set(Object.values(refusals).map(({ code }) => code as number))
  assert.deepEqual(new Set(errorByCode.keys()), codes)
  assert.equal(new Set(errorByCode.values()).size, codes.size)
  for (const { code, status, en } of Object.values(refusals)) {
    for (const httpStatus of [status, 200]) {
      const headers = { 'x-request-id': 'request-17', 'retry-after': '7' }
      server.script(json({ status: false, error: en, code }, httpStatus, headers))
      const error = await hasty.getBalance().catch((thrown: unknown) => thrown)
      assert(error instanceof client.ApiError)
      assert.equal(error.constructor, errorByCode.get(code), String(code))
      assert.equal(error.name, error.constructor.name)
      const { message, requestId, retryAfterSeconds } = error
      assert.deepEqual(
        [message, error.code, error.httpStatus, requestId, retryAfterSeconds],
        [en, code, httpStatus, 'request-17', 7],
      )
    }
  }
})

test('an unknown newer code still throws an ApiError', async () => {
  server.script(refusal(77, 409))
  const error = await ringproof.getBalance().catch((thrown: unknown) => thrown)
  assert(error instanceof client.ApiError)
  assert.equal(error.constructor, client.ApiError)
  assert.equal(error.code, 77)
})

test('a cooldown error always has the time to wait', async () => {
  server.script(refusal(19, 429))
  const error = await ringproof.initCall({ phone }).catch((thrown: unknown) => thrown)
  assert(error instanceof client.CooldownError)
  assert.equal(error.retryAfterSeconds, 15)
})

test('waiting for a result ends at its timeout, during a request or between two', async () => {
  const info = examples.getInfo.response as Record<string, unknown>
  server.script(json({ ...info, call_status: -1 }))
  await assert.rejects(ringproof.waitForResult(1, { timeoutMs: 300 }), client.ResultTimeoutError)
  assert(server.asked.length >= 2)
  server.script('silence')
  await assert.rejects(ringproof.waitForResult(1, { timeoutMs: 100 }), client.ResultTimeoutError)
  server.script(json({ ...info, call_status: -1 }), json(info))
  assert.equal((await ringproof.waitForResult(1)).call_status, 1)
  server.script(refusal(10, 404))
  await assert.rejects(ringproof.waitForResult(1), client.UnknownVerificationError)
})
