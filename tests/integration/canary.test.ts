// Canaries (keys and a phone number) are put wherever a request has room for them. Neither they nor any query string
// may appear in the log, the metrics or the API log.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import { makeApiKey } from '../../server/src/domain/accounts/api-key.ts'
import { makeWebhookSecret } from '../../server/src/domain/webhooks/webhook.ts'
import { buildApp } from '../../server/src/http/app.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { realDeps } from '../support/fuzz/run.ts'
import { install, makeService, serveProcess } from '../support/process/server.ts'

type Sent = {
  readonly verb?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  // What a valid and an invalid key get, where that matters.
  readonly statuses?: readonly [good: number, wrong: number]
}

const installation = await install()
const service = await makeService(installation)
const wrongKey = makeApiKey(randomBytes(64))
// No country code starts like this.
const phone = '70005559173'
const secret = makeWebhookSecret(randomBytes(32))
const canaries = {
  'the key': service.key,
  'the wrong key': wrongKey,
  'the number': phone,
  'the webhook secret': secret,
}

test('no key, number or query string of a request is logged, wherever it is in the request', async () => {
  const served = await serveProcess(installation)
  const asked: [string, string][] = []
  for (const key of [service.key, wrongKey]) {
    for (const [name, sent] of Object.entries(places(key))) {
      const base = name.endsWith('alternative') ? served.alternative : served.base
      const { status, id } = await send(base, sent)
      if (sent.statuses) assert.equal(status, sent.statuses[key === service.key ? 0 : 1], name)
      assert.match(id, /^[0-9a-f-]{36}$/, name)
      asked.push([name, id])
    }
    for (const bytes of unreadable(key)) await sendRaw(served.base, bytes)
  }
  const metrics = await (await fetch(served.metrics)).text()
  served.running.process.kill('SIGTERM')
  const { out, err } = await served.running.ended
  assert.equal(err, '')
  assert.deepEqual(found(out), [])
  assert.deepEqual(found(metrics), [])
  const logged = await apiLog()
  assert.deepEqual(foundCanaries(logged.join('\n')), [])
  // Of every kind of request with a valid key, and of guesses.
  assert(logged.length > 60, String(logged.length))
  assert.notDeepEqual(foundCanaries([...logged, `{"client":"${service.key}"}`].join('\n')), [])
  assert.match(metrics, /^ringproof_http_request_duration_seconds_count\{.*api_method="getBalance".*\} \d+$/m)

  // Positive control: the same search finds canaries put into a copy of the same log.
  for (const canary of Object.values(canaries)) assert.notDeepEqual(found(out.replace('request completed', canary)), [])

  const lines = linesOf(out)
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
    'no request causes an internal error',
  )
  const answered = lines.filter(({ msg }) => msg === 'request completed').map((line) => line['request_id'])
  const isLoggedOnce = ([, id]: [string, string]) => answered.filter((one) => one === id).length === 1
  assert.deepEqual(
    asked.filter((one) => !isLoggedOnce(one)),
    [],
    'requests without exactly one log line',
  )
})

test('no key or number inside a thrown error is logged, and the stack trace is', async () => {
  const written: string[] = []
  const text = `no such key ${service.key} (${hexOf(service.key)}, ${base64Of(service.key)}), nor +${phone}, ${secret}`
  const inner = new Error(`within: ${text}`, { cause: text })
  const circular = new Error(`seeded: ${text}`)
  circular.cause = new Error('within', { cause: circular })
  const faults: readonly Error[] = [
    circular,
    Object.assign(new Error(`seeded: ${text}`), { name: `No ${service.key}` }),
    new Error(`seeded: ${text}`, { cause: inner }),
    Object.assign(new TypeError(`seeded: ${text}`), { code: text, detail: text, query: `?key=${service.key}` }),
    new AggregateError([inner], `seeded: ${text}`, { cause: inner }),
    // Not everything that is thrown is an Error.
    `seeded: ${text}` as unknown as Error,
  ]
  for (const fault of faults) {
    const deps = await realDeps(installation)
    const throwing = async () => {
      throw fault
    }
    const { fastify } = await buildApp({
      ...deps,
      actions: { ...deps.actions, getBalance: throwing },
      log: createLog({ write: (line) => void written.push(line) }),
    })
    const response = await fastify.inject({ url: '/v1.0/getBalance', headers: service.bearer })
    await fastify.close()
    assert.deepEqual([response.statusCode, response.json<{ code: number }>().code], [500, 500])
    assert.deepEqual(foundCanaries(response.body), [])
    const lines = linesOf(written.join(''))
    const faultLine = lines.findLast(({ msg }) => msg === 'request failed')
    assert.equal(faultLine?.['request_id'], response.headers['x-request-id'])
    assert.match(JSON.stringify(faultLine?.['err']), /seeded: no such key/)
    if (fault instanceof Error) assert.match(JSON.stringify(faultLine?.['err']), /canary\.test\.ts/)
  }
  assert.equal(written.length, 2 * faults.length)
  assert.deepEqual(found(written.join('')), [])
})

test('what is looked for is found when it is there', () => {
  const log = JSON.stringify({ time: '', level: 'info', msg: 'request completed', request_id: 'a' })
  assert.deepEqual(found(log), [])
  for (const [name, canary] of Object.entries(canaries)) {
    for (const [form, spelling] of Object.entries(spellings(canary))) {
      const seeded = `${log}\n${JSON.stringify({ msg: `before ${spelling} behind` })}\n${log}`
      assert.ok(found(seeded).includes(`${name}, ${form}`), `${name}, ${form}`)
    }
  }
  for (const url of ['/v1.0/getBalance?a=b', '/x?', 'key=x&service_id=64']) {
    assert.deepEqual(found(`${log}\n${JSON.stringify({ url })}`), ['a query'], url)
  }
  assert.throws(() => linesOf('{"msg":"a"}\n'), /time/)
})

// Every row as text, with all its columns.
async function apiLog(): Promise<readonly string[]> {
  const { rows } = await installation.slots.globalDatabase.query<{ text: string }>(
    'SELECT r::text AS text FROM api_requests AS r UNION ALL SELECT c::text FROM api_request_counts AS c',
  )
  return rows.map(({ text }) => text)
}

// --- Where a key can be ----------------------------------------------------------------------------------------------

function places(key: string): Readonly<Record<string, Sent>> {
  const good = service.bearer
  const id = service.serviceId
  const credentials = `key=${key}&service_id=${id}`
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const bearer = { authorization: `Bearer ${key}.${id}` }
  const balance = '/v1.0/getBalance'
  const statuses = [200, 401] as const
  return {
    ...placesOfHeaders(key, good),
    ...placesOfParameters(key, good),
    'a Bearer header': { path: balance, headers: bearer, statuses },
    'a Bearer header over the alternative': { path: balance, headers: bearer },
    'a lower-case bearer header': { path: balance, headers: { authorization: `bearer ${key}.${id}` }, statuses },
    'a bare header': { path: balance, headers: { authorization: key }, statuses: [401, 401] },
    'another scheme': { path: balance, headers: { authorization: `Token ${key}.${id}` }, statuses: [401, 401] },
    'a Basic header': {
      path: balance,
      headers: { authorization: `Basic ${base64Of(`${id}:${key}`)}` },
      statuses: [401, 401],
    },
    'the query of a GET': { path: `${balance}?${credentials}`, statuses },
    'the query of a GET over the alternative': { path: `${balance}?${credentials}` },
    'the query of a POST': { verb: 'POST', path: `${balance}?${credentials}`, statuses: [401, 401] },
    'the query of a POST with a header': {
      verb: 'POST',
      path: `${balance}?${credentials}`,
      headers: good,
      statuses: [200, 200],
    },
    'a JSON body': {
      verb: 'POST',
      path: balance,
      headers: json,
      body: JSON.stringify({ key, service_id: id }),
      statuses,
    },
    'a form': { verb: 'POST', path: balance, headers: form, body: credentials, statuses },
    'two schemes': { path: `${balance}?${credentials}`, headers: good, statuses },
    'a repeated key': { path: `${balance}?${credentials}&${credentials}`, statuses: [401, 401] },
    'an encoded key': { path: `${balance}?key=${percentOf(key)}&service_id=${id}`, statuses },
    'a path': { path: `/v1.0/${key}`, headers: good, statuses: [404, 404] },
    'a path without a method': { path: `/${key}?phone=${phone}`, headers: good, statuses: [404, 404] },
    'a path below a method': { path: `${balance}/${key}/${phone}`, headers: bearer, statuses: [404, 401] },
    'a path that cannot be decoded': { path: `/v1.0/%zz${key}?${credentials}`, headers: good },
    'a path that is no UTF-8': { path: `/v1.0/%C3%28${key}`, headers: bearer, statuses: [400, 401] },
    'another verb': { verb: 'DELETE', path: `${balance}?${credentials}`, headers: bearer, statuses: [405, 401] },
    'a page': { path: `/docs?${credentials}` },
    'the health page': { path: `/health?${credentials}`, headers: bearer },
  }
}

// Next to a valid key, so that the request is fully processed.
function placesOfHeaders(key: string, good: Readonly<Record<string, string>>): Record<string, Sent> {
  const values = {
    'x-request-id': key,
    'user-agent': `Client/${key}`,
    referer: `https://example.org/?key=${key}&phone=${phone}`,
    cookie: `key=${key}`,
    'accept-language': `${key}, ru`,
    'x-forwarded-for': key,
    traceparent: key,
    accept: key,
    host: key,
    'if-match': key,
    [`x-${key}`]: phone,
    'x-api-key': key,
    'proxy-authorization': key,
    origin: `https://${key}`,
    forwarded: `for=${key}`,
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, Sent] => {
      const headers = { ...good, [name]: value }
      return [`the header ${name}`, { path: '/v1.0/getBalance', headers, statuses: [200, 200] }]
    }),
  )
}

function placesOfParameters(key: string, headers: Readonly<Record<string, string>>): Record<string, Sent> {
  const post = { verb: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
  const callback = `https://example.org/?key=${key}&phone=${phone}`
  const json = (method: string, body: unknown): Sent => ({
    ...post,
    path: `/v1.0/${method}`,
    body: JSON.stringify(body),
  })
  const large = JSON.stringify({ key, service_id: service.serviceId, client: key.repeat(600), phone })
  return {
    'client and unique': json('initCall', { phone, client: key, unique: key }),
    'client and unique in a query': { path: `/v1.0/initCall?phone=${phone}&client=${key}&unique=${key}`, headers },
    'an invalid number': json('initCall', { phone: key }),
    'a wrong code': json('initCall', { phone, code: key }),
    'a wrong mode': json('initCall', { phone, voice: key }),
    'a wrong id': json('getInfo', { uid: key }),
    'a list': json('checkPhone', { phone: [key, phone] }),
    'a number in another format': json('checkPhone', { phone }),
    'a callback': json('inboundCallWaiting', { phone, callback_url: callback }),
    'a refused callback URL': json('inboundCallWaiting', { phone, callback_url: `https://${key}@example.org` }),
    'an unknown field': json('getBalance', { [key]: phone, ['__proto__']: key }),
    'cut JSON': { ...post, path: '/v1.0/initCall', body: `{"key":"${key}","phone":"${phone}`, statuses: [400, 400] },
    'cut JSON without a header': { verb: 'POST', path: '/v1.0/initCall', body: `{"key":"${key}`, statuses: [401, 401] },
    'bytes that are no UTF-8': { ...post, path: '/v1.0/initCall', body: Buffer.from(`{"key":"${key}\xff"}`, 'latin1') },
    'a body of another type': {
      verb: 'POST',
      path: '/v1.0/initCall',
      body: `${key} ${phone}`,
      statuses: [415, 415],
      headers: { ...headers, 'content-type': 'text/plain' },
    },
    'the type of a body': {
      verb: 'POST',
      path: '/v1.0/initCall',
      body: '{}',
      headers: { ...headers, 'content-type': key },
    },
    'a body that is too large': { ...post, path: '/v1.0/initCall', body: large, statuses: [413, 413] },
    'a body that is too large, without a header': {
      verb: 'POST',
      path: '/v1.0/initCall',
      body: large,
      statuses: [401, 401],
    },
  }
}

// Not HTTP, or not in the form that a client would send.
function unreadable(key: string): readonly string[] {
  const credentials = `key=${key}&service_id=${service.serviceId}`
  const head = 'Host: 127.0.0.1\r\nConnection: close'
  return [
    `${key}\r\n\r\n`,
    `GET /v1.0/getBalance?${credentials} HTTP/9.9\r\n${head}\r\n\r\n`,
    `GET /v1.0/getBalance?${credentials} HTTP/1.1\r\n${head}\r\n${key} ${phone}\r\n\r\n`,
    `GET /v1.0/getBalance HTTP/1.1\r\n${head}\r\nAuthorization: ${key.repeat(700)}\r\n\r\n`,
    `POST /v1.0/initCall HTTP/1.1\r\n${head}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n${key}`,
    `POST /v1.0/initCall HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\n\r\n${key}\r\n`,
    `GET http://${key}/v1.0/getBalance?${credentials} HTTP/1.1\r\n${head}\r\n\r\n`,
    `GET ${key}?${credentials} HTTP/1.1\r\n${head}\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\n${head}\r\nAuthorization: Bearer ${key}.${service.serviceId}\r\n\r\n`,
  ]
}

// --- Sending ---------------------------------------------------------------------------------------------------------

let addresses = 0

// A client address for each, or the limit on failed authentications would refuse most of them.
function nextAddress(): string {
  addresses += 1
  return `127.7.${addresses >> 8}.${addresses & 255}`
}

async function send(
  base: string,
  { verb = 'GET', path, headers, body }: Sent,
): Promise<{ status: number; id: string }> {
  const { hostname, port } = new URL(base)
  const sending = request({ hostname, port, path, method: verb, headers, agent: false, localAddress: nextAddress() })
  sending.end(body)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const status = response.statusCode ?? 0
  const text = await textOf(response)
  // A refusal does not echo a secret.
  if (status >= 400) assert.deepEqual(foundCanaries(text), [], path)
  return { status, id: String(response.headers['x-request-id']) }
}

async function sendRaw(base: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(base)
  const socket = connect({ host: hostname, port: Number(port), localAddress: nextAddress() })
  socket.end(bytes)
  assert.match(await textOf(socket), /^HTTP\/1\.1 [45]\d\d |^$/)
}

// --- Searching -------------------------------------------------------------------------------------------------------

function found(text: string): string[] {
  return [...foundCanaries(text), ...(/\?|(key|service_id|phone|uid)=/.test(text) ? ['a query'] : [])]
}

function foundCanaries(text: string): string[] {
  return Object.entries(canaries).flatMap(([name, canary]) =>
    Object.entries(spellings(canary))
      .filter(([, spelling]) => text.includes(spelling))
      .map(([form]) => `${name}, ${form}`),
  )
}

// Encodings in which a canary could be written by accident.
function spellings(canary: string): Readonly<Record<string, string>> {
  return {
    unchanged: canary,
    'in lower case': canary.toLowerCase(),
    'percent-encoded': percentOf(canary),
    'percent-encoded in lower case': percentOf(canary).toLowerCase(),
    'in hex': hexOf(canary),
    'in HEX': hexOf(canary).toUpperCase(),
    'in base64': base64Within(canary, 0),
    'in base64 after one byte': base64Within(canary, 1),
    'in base64 after two bytes': base64Within(canary, 2),
  }
}

function percentOf(text: string): string {
  return hexOf(text)
    .toUpperCase()
    .replaceAll(/../g, (byte) => `%${byte}`)
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64')
}

// The base64 characters that do not depend on the neighbouring bytes.
function base64Within(text: string, before: number): string {
  const whole = base64Of('\0'.repeat(before) + text)
  return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6))
}

// Every line is a JSON object with time, level and message; a line about a request has its ID.
function linesOf(log: string): readonly Record<string, unknown>[] {
  const lines = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const line of lines) {
    const isOfRequest = line['msg'] === 'request completed' || line['msg'] === 'request failed'
    for (const name of ['time', 'level', 'msg', ...(isOfRequest ? ['request_id'] : [])]) {
      assert.equal(typeof line[name], 'string', `${name} in ${JSON.stringify(line)}`)
    }
    assert.ok(!Number.isNaN(Date.parse(String(line['time']))))
  }
  return lines
}
