// The PHP client against a scripted service: the same requests, retries and errors as the Node client.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { refusals } from '@ringproof/contract/errors.ts'
import { examples } from '@ringproof/contract/examples.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { installInterpreters } from '../../scripts/stack/interpreters.ts'
import { webhooks } from '../../sdk/src/client.ts'
import { errorByCode } from '../../sdk/src/error-of-code.ts'
import { atEnd } from '../support/at-end.ts'
import { createScriptedServer, json } from '../support/http/scripted-server.ts'

type Said = { readonly result?: Record<string, unknown>; readonly error?: string; readonly [field: string]: unknown }

await installInterpreters()
const server = await createScriptedServer()
const other = await createScriptedServer()
const key = 'k'.repeat(32)
const client = startPhp({ baseUrl: `${server.base}/`, key, serviceId: 154, plainHttpUrl: other.base })
const secret = 'whsec_c2VjcmV0IG9mIGEgdGVzdA=='
const keysSent = () => server.asked.map(({ body }) => (JSON.parse(body) as Record<string, unknown>)['unique'])

test('every method posts its parameters with the key in the header, and returns the response', async () => {
  for (const method of methods) {
    const { request, response } = examples[method]
    server.script(json(response))
    const { result } = await client(method, Object.keys(request).length === 0 ? [] : [request])
    assert.deepEqual(result, response, method)
    const [asked] = server.asked
    assert.equal(asked?.path, `/v1.0/${method}`)
    assert.equal(asked.headers['authorization'], `Bearer ${key}.154`)
    assert.deepEqual(JSON.parse(asked.body), request, method)
  }
})

test('methods with one parameter take its bare value', async () => {
  for (const [method, parameter, value] of [
    ['getInfo', 'uid', 5],
    ['initRepeat', 'uid', '5'],
    ['checkPhone', 'phone', '8 900 000-00-01'],
  ] as const) {
    server.script(json(examples[method].response))
    assert((await client(method, [value])).result, method)
    assert.deepEqual(JSON.parse(server.asked[0]?.body ?? ''), { [parameter]: value }, method)
  }
})

test('initCall generates a key when none is given, and repeats it with every attempt', async () => {
  server.script({ status: 502, body: '<html>' }, { status: 502, body: '<html>' }, json(examples.initCall.response))
  assert((await client('initCall', [{ phone: '79000000001' }])).result)
  const [first, ...rest] = keysSent()
  assert.match(String(first), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(rest, [first, first])
})

test('what would charge or ring again is not repeated after a lost response', async () => {
  for (const method of ['checkPhone', 'inboundCallWaiting', 'initRepeat'] as const) {
    server.script('reset')
    const { error } = await client(method, [examples[method].request])
    assert.equal(error, 'Ringproof\\ConnectionError', method)
    assert.equal(server.asked.length, 1, method)
  }
})

test('the plain HTTP address is used only after the first could not be reached', async () => {
  server.script('reset')
  other.script(json(examples.getBalance.response))
  assert.deepEqual((await client('getBalance', [])).result, examples.getBalance.response)
  assert.equal(other.asked.length, 1)
})

test('every code of the contract becomes the class that the Node client has for it', async () => {
  for (const { code, status } of Object.values(refusals)) {
    const refused = json({ status: false, error: 'No.', code }, status, { 'retry-after': '60', 'x-request-id': 'r-1' })
    server.script(refused)
    const said = await client('getService', [])
    assert.deepEqual(
      [said.error, said['code'], said['httpStatus'], said['requestId'], said['retryAfterSeconds'], said['message']],
      [`Ringproof\\${errorByCode.get(code)?.name}`, code, status, 'r-1', 60, 'No.'],
    )
  }
})

test('waitForResult polls until the call has ended', async () => {
  const response = examples.getInfo.response as Record<string, unknown>
  server.script(json({ ...response, call_status: -1 }), json({ ...response, call_status: 1 }))
  assert.equal((await client('waitForResult', [response['vendor_id']])).result?.['call_status'], 1)
  server.script(json({ ...response, call_status: -1 }))
  assert.equal((await client('waitForResult', [response['vendor_id'], 100])).error, 'Ringproof\\ResultTimeoutError')
})

test('webhooks: what the Node client signs is verified, and a changed, old or foreign one is not', async () => {
  const body = JSON.stringify({ callId: '1', clientNumber: '79000000001' })
  const signed = await webhooks.testHeaders(body, secret)
  const both = { ...signed, 'webhook-signature': `v1,b2xk ${signed['webhook-signature']}` }
  for (const headers of [signed, both]) {
    assert.deepEqual((await client('verify', [body, headers, secret])).result, JSON.parse(body))
  }
  const old = await webhooks.testHeaders(body, secret, { timestampSeconds: Math.floor(Date.now() / 1_000) - 400 })
  for (const [text, headers, by] of [
    [body.replace('01', '02'), signed, secret],
    [body, old, secret],
    [body, signed, 'whsec_b3RoZXI='],
    [body, {}, secret],
  ] as const) {
    assert.equal((await client('verify', [text, headers, by])).error, 'Ringproof\\WebhookVerificationError')
  }
  const { result } = await client('testHeaders', [body, secret])
  assert.deepEqual(await webhooks.verify(body, result as Record<string, string>, secret), JSON.parse(body))
})

test('a base URL in clear text beyond loopback is refused', async () => {
  await assert.rejects(startPhp({ baseUrl: 'http://ringproof.example', key, serviceId: 154 })('getBalance', []))
})

// One PHP process for all calls of a test file.
function startPhp(options: Record<string, unknown>): (method: string, args: readonly unknown[]) => Promise<Said> {
  const program = join(import.meta.dirname, 'php-session.php')
  const child = spawn('php', [program, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, 'close')
  atEnd(async () => {
    child.stdin.end()
    await ended
  })
  child.stdin.on('error', () => undefined)
  return async (method, args) => {
    child.stdin.write(`${JSON.stringify([method, args])}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the PHP process ended')
    return JSON.parse(value) as Said
  }
}
