// The example proxy of deploy/caddy in front of Ringproof: what passes, what does not, what it logs.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { refusals } from '@ringproof/contract/errors.ts'
import { setService } from '../../server/src/actions/accounts/services.ts'
import { atEnd } from '../support/at-end.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { adaptSample, checkSampleFormat, type Proxy, startProxy } from '../support/http/caddy.ts'
import { connectRaw } from '../support/http/raw-http.ts'
import { install, makeService, serve } from '../support/process/server.ts'

const installation = await install()
const served = await serve(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const service = await makeService(installation)
const proxy = await startProxy(new URL(served.base).host)

test('the sample is valid: with a host name it serves TLS, without one it serves nothing', async () => {
  await checkSampleFormat()
  const { apps, admin } = JSON.parse(await adaptSample({ PROXY_SITE: 'verify.example.org' })) as {
    apps: { http: { servers: Record<string, { listen: string[]; routes: unknown[] }> } }
    admin: { listen: string }
  }
  const servers = Object.values(apps.http.servers)
  assert.deepEqual(
    servers.flatMap(({ listen }) => listen),
    [':443'],
  )
  assert.match(JSON.stringify(servers), /"dial":"127\.0\.0\.1:8080"/)
  assert.equal(admin.listen, 'localhost:2019')
  await assert.rejects(adaptSample({}))
})

test('a valid request passes, by header, query and body', async () => {
  const balance = `${proxy.base}/v1.0/getBalance`
  const fields = { key: service.key, service_id: service.serviceId }
  for (const asked of [
    await ask(balance, { headers: service.bearer }),
    await ask(`${balance}?key=${service.key}&service_id=${service.serviceId}`),
    await ask(balance, { method: 'POST', body: fields }),
  ]) {
    assert.deepEqual([asked.status, asked.json['rub_balance']], [200, 100], asked.text)
  }
})

test('refusals of Ringproof pass unchanged, and refusals of Caddy have the same shape', async () => {
  const large = { method: 'POST', headers: service.bearer, body: 'x'.repeat(40_000) }
  for (let n = 0; n < 10; n++) assertRefused(await ask(`${proxy.base}/v1.0/getBalance`, large), 1, 413)
  // Whichever of the two is faster.
  const huge = await fetch(`${proxy.base}/v1.0/getBalance`, { ...large, body: 'x'.repeat(10e6) })
  assert.equal(huge.status, 413)
  const { code, error } = (await huge.json()) as { code: number; error: string }
  assert.deepEqual([code, error], [refusals.bodyTooLarge.code, refusals.bodyTooLarge.en])
})

test('the client address is forwarded, and a forged one is not', async () => {
  const listed = await makeService(installation)
  const command = { serviceId: listed.serviceId, texts: { addresses: '127.0.0.2' } }
  await setService({ slots: installation.slots }, { address: 'test', userAgent: '' }, command)
  const codeFor = async (base: string, localAddress: string, claimed = '') => {
    const { socket, answered } = connectRaw(base, { localAddress })
    const forwarded = claimed === '' ? '' : `X-Forwarded-For: ${claimed}\r\n`
    const head = `Host: 127.0.0.1\r\nAuthorization: ${listed.bearer.authorization}\r\n${forwarded}`
    socket.write(`GET /v1.0/getBalance HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
    const { status, body } = await answered
    return (JSON.parse(body) as { code?: number }).code ?? status
  }
  assert.equal(await codeFor(proxy.base, '127.0.0.2'), 200)
  assert.equal(await codeFor(proxy.base, '127.0.0.3'), 1003)
  assert.equal(await codeFor(proxy.base, '127.0.0.3', '127.0.0.2'), 1003)
  assert.equal(await codeFor(proxy.base, '127.0.0.2', '127.0.0.3'), 200)
  // Without the proxy, only the peer address counts.
  assert.equal(await codeFor(served.base, '127.0.0.1', '127.0.0.2'), 200)
  assert.equal(await codeFor(served.base, '127.0.0.3', '127.0.0.2'), 1003)
})

// The marker is a method that nothing else in this file calls, with a valid key, so that it would be answered if it
// were taken for a request.
const marker = '/v1.0/getAccount'
const host = `Host: 127.0.0.1\r\nAuthorization: ${service.bearer.authorization}\r\n`
const hidden = `GET ${marker} HTTP/1.1\r\n${host}\r\n`
const post = (headers: string, body: string) => `POST /v1.0/getBalance HTTP/1.1\r\n${host}${headers}\r\n\r\n${body}`

// By Content-Length the body goes to the end, by chunks it ends before the marker.
const lengthHides = (coding: string) => post(`Content-Length: ${hidden.length + 5}\r\n${coding}`, `0\r\n\r\n${hidden}`)
// By chunks the body includes the marker, by Content-Length it ends before it.
const chunksHide = (coding: string) => {
  const size = hidden.length.toString(16)
  return post(`Content-Length: ${size.length + 2}\r\n${coding}`, `${size}\r\n${hidden}\r\n0\r\n\r\n`)
}
const lengthIs = (length: string) => post(`Content-Length: ${length}`, hidden)
const chunksAre = (chunks: string) => post('Transfer-Encoding: chunked', chunks)

// Caddy may legitimately read some of them as a complete body followed by one more request: those may be two.
type Form = { readonly name: string; readonly bytes: string; readonly mayBeTwo?: true }
const forms: readonly Form[] = [
  { name: 'CL.TE', bytes: lengthHides('Transfer-Encoding: chunked'), mayBeTwo: true },
  { name: 'TE.CL', bytes: chunksHide('Transfer-Encoding: chunked') },
  { name: 'CL.TE in HTTP/1.0', bytes: lengthHides('Transfer-Encoding: chunked').replace('/1.1', '/1.0') },
  { name: 'CL.TE, xchunked', bytes: lengthHides('Transfer-Encoding: xchunked') },
  { name: 'TE.CL, xchunked', bytes: chunksHide('Transfer-Encoding: xchunked') },
  { name: 'CL.TE, a space before the colon', bytes: lengthHides('Transfer-Encoding : chunked') },
  { name: 'TE.CL, a space before the colon', bytes: chunksHide('Transfer-Encoding : chunked') },
  { name: 'CL.TE, a tab', bytes: lengthHides('Transfer-Encoding:\tchunked'), mayBeTwo: true },
  { name: 'TE.CL, a tab', bytes: chunksHide('Transfer-Encoding:\tchunked') },
  { name: 'CL.TE, a vertical tab', bytes: lengthHides('Transfer-Encoding:\x0bchunked') },
  { name: 'CL.TE, folded', bytes: lengthHides('Transfer-Encoding:\r\n chunked'), mayBeTwo: true },
  { name: 'CL.TE, behind a bare LF', bytes: lengthHides('X: y\nTransfer-Encoding: chunked'), mayBeTwo: true },
  { name: 'TE.TE', bytes: lengthHides('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity') },
  { name: 'TE.TE in one line', bytes: lengthHides('Transfer-Encoding: identity, chunked') },
  { name: 'two lengths, the longer first', bytes: lengthIs(`${hidden.length}\r\nContent-Length: 0`) },
  { name: 'two lengths, the shorter first', bytes: lengthIs(`0\r\nContent-Length: ${hidden.length}`) },
  { name: 'two lengths in one line', bytes: lengthIs(`0, ${hidden.length}`) },
  { name: 'a length with a plus', bytes: lengthIs(`+${hidden.length}`) },
  { name: 'a length with a space inside', bytes: lengthIs(`0 ${hidden.length}`) },
  { name: 'a length beyond 64 bits', bytes: lengthIs('18446744073709551616') },
  { name: 'a chunk size with 0x', bytes: chunksAre(`0x${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`) },
  { name: 'a chunk size with a plus', bytes: chunksAre(`+0\r\n\r\n${hidden}`) },
  { name: 'a chunk size beyond 64 bits', bytes: chunksAre(`10000000000000000\r\n\r\n${hidden}`) },
  { name: 'a chunk size with a space', bytes: chunksAre(`0 \r\n\r\n${hidden}`), mayBeTwo: true },
  { name: 'a chunk longer than it says', bytes: chunksAre(`2\r\n{}xx0\r\n\r\n${hidden}`) },
  { name: 'a chunk extension with a bare LF', bytes: chunksAre(`2;\nxx\r\n0\r\n\r\n${hidden}`) },
  {
    name: 'a length as a trailer',
    bytes: chunksAre(`0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`),
    mayBeTwo: true,
  },
  { name: 'bare LF everywhere', bytes: post('Content-Length: 0', '').replaceAll('\r', '') + hidden, mayBeTwo: true },
  { name: 'a bare CR', bytes: post(`X: y\rContent-Length: ${hidden.length}`, hidden) },
  { name: 'a null byte in a value', bytes: post('X: y\0Content-Length: 0', hidden) },
  { name: 'a null byte in a name', bytes: post('X\0Y: z', hidden) },
  { name: 'two hosts', bytes: post('Host: elsewhere.example\r\nContent-Length: 0', hidden) },
]

test('two valid requests over one connection count as two, with and without the proxy', async () => {
  for (const base of [served.base, proxy.base]) {
    const before = await markersAnswered()
    const { received } = await exchange(base, post('Content-Length: 2', '{}') + hidden)
    assert.equal(received.match(/HTTP\/1\.1 200/g)?.length, 3, received)
    assert.equal((await markersAnswered()) - before, 1, 'the marker is not counted')
  }
})

for (const form of forms) {
  test(`${form.name}: hides no request from the proxy, and is refused without it`, async () => {
    await assertRefusedStraight(form)
    await assertNothingSmuggled(form)
  })
}

async function assertRefusedStraight({ bytes }: Form): Promise<void> {
  const before = await markersAnswered()
  const { received, isClosed } = await exchange(served.base, bytes)
  assert.match(received, /^HTTP\/1\.1 400 /)
  assert.equal(received.match(/HTTP\/1\.1 \d/g)?.length, 1, received)
  assert(isClosed, 'the connection is still open')
  assert.equal(await markersAnswered(), before)
}

// Where Caddy takes the rest of a form for another request of the client, it must have logged it as one; anything else
// that Ringproof answers was smuggled.
async function assertNothingSmuggled({ bytes, mayBeTwo }: Form): Promise<void> {
  const [answeredBefore, handledBefore] = [await markersAnswered(), markersHandled(proxy)]
  const { received } = await exchange(proxy.base, bytes)
  // The next request in line is the client's own.
  const next = await ask(`${proxy.base}/v1.0/getBalance`, { headers: service.bearer })
  assert.deepEqual([next.status, next.json['rub_balance']], [200, 100], next.text)
  await logIsWritten(proxy)
  const answered = (await markersAnswered()) - answeredBefore
  assert.equal(answered, markersHandled(proxy) - handledBefore, received)
  if (!mayBeTwo) assert.equal(answered, 0, received)
}

test('an absolute URL with a host that the proxy does not serve does not reach Ringproof', async () => {
  const before = await markersAnswered()
  await exchange(proxy.base, `GET http://elsewhere.example${marker} HTTP/1.1\r\n${host}\r\n`)
  assert.equal(await markersAnswered(), before)
})

test('a GET that Ringproof received is never sent to it again', async () => {
  // Answers the first request, and closes the connection on every other.
  let taken = 0
  const upstream = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => {
      taken += 1
      if (taken === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      else socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  atEnd(async () => upstream.close())
  const address = upstream.address()
  assert(address !== null && typeof address !== 'string')
  const fragile = await startProxy(`127.0.0.1:${address.port}`)
  assert.equal(await (await fetch(`${fragile.base}/first`)).text(), 'ok')
  const dropped = await fetch(`${fragile.base}/second?key=${service.key}`, { headers: service.bearer })
  assert.equal(dropped.status, 502)
  assert.equal(dropped.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.deepEqual(Object.keys((await dropped.json()) as object).toSorted(), ['code', 'error', 'status'])
  assert.equal(taken, 2)
  // Caddy logs the error with the whole request in its context.
  await fragile.logs('"uri":"/second"')
  assertKeepsSecrets(fragile)
})

test('the proxy log has the path of a request, and no key, query, header or body', async () => {
  const canary = 'canary5e1f'
  await ask(`${proxy.base}/v1.0/getBalance?key=${service.key}&service_id=1&note=${canary}`)
  await ask(`${proxy.base}/v1.0/getService`, { headers: { ...service.bearer, 'user-agent': canary } })
  await ask(`${proxy.base}/v1.0/getInfo`, { method: 'POST', body: { key: service.key, note: canary } })
  await logIsWritten(proxy)
  for (const method of ['getBalance', 'getService', 'getInfo']) {
    assert(proxy.log().includes(`"uri":"/v1.0/${method}"`), method)
  }
  assert(!proxy.log().includes(canary))
  assertKeepsSecrets(proxy)
})

function assertKeepsSecrets({ log }: Proxy): void {
  assert(!log().includes(service.key))
  assert(!/bearer|authorization/i.test(log()))
  for (const { request: logged } of linesOf(log())) assert(!logged?.uri.includes('?'), logged?.uri)
}

type LogLine = { readonly msg: string; readonly request?: { readonly uri: string } }

function linesOf(log: string): LogLine[] {
  return log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogLine)
}

// Lines are written in order, so nothing before this one is missing.
let barriers = 0
async function logIsWritten({ base, logs }: Proxy): Promise<void> {
  const path = `/barrier-${barriers++}`
  await ask(`${base}${path}`, { headers: service.bearer })
  await logs(`"uri":"${path}"`)
}

function markersHandled({ log }: Proxy): number {
  return linesOf(log()).filter(({ msg, request: logged }) => msg === 'handled request' && logged?.uri === marker).length
}

async function markersAnswered(): Promise<number> {
  const exposition = await (await fetch(served.metrics)).text()
  const counts = exposition.matchAll(
    /^ringproof_http_request_duration_seconds_count\{api_method="getAccount".*\} (\d+)$/gm,
  )
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

// The bytes are followed by a valid request with `Connection: close`, so that the connection ends once all bytes
// before it are processed. A server that still expects more bytes then is not waited for.
async function exchange(base: string, bytes: string): Promise<{ received: string; isClosed: boolean }> {
  const connection = connectRaw(base)
  connection.socket.write(`${bytes}GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`, 'latin1')
  let isClosed = true
  const timeout = setTimeout(() => {
    isClosed = false
    connection.socket.destroy()
  }, 1_500)
  await connection.closed
  clearTimeout(timeout)
  return { received: connection.received(), isClosed }
}
