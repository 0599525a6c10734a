// Security headers of every response, and access to the metrics.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProxy } from '../support/http/caddy.ts'
import { sendRaw } from '../support/http/raw-http.ts'
import { install, makeService, type Served, serve } from '../support/process/server.ts'

const installation = await install()
const service = await makeService(installation)
const [overTls, inClear] = await Promise.all([
  serve(installation, { RINGPROOF_PUBLIC_URL: 'https://verify.example.org' }, '--roles', 'api'),
  serve(installation, { RINGPROOF_HTTP_HOST: '0.0.0.0' }, '--roles', 'api'),
])
const year = 'max-age=31536000'

type SentHeaders = { readonly what: string; readonly sniffing: string | null; readonly tls: string | null }

// Responses, pages, refusals of every layer, and input that is not HTTP.
async function collectHeaders(base: string): Promise<readonly SentHeaders[]> {
  const all: SentHeaders[] = []
  for (const [path, headers, status] of [
    ['/v1.0/getBalance', service.bearer, 200],
    ['/v1.0/getBalance', {}, 401],
    ['/v1.0/noSuchMethod', service.bearer, 404],
    ['/health', {}, 200],
    ['/livez', {}, 200],
  ] as const) {
    const response = await fetch(base + path, { headers })
    assert.equal(response.status, status, path)
    const { headers: got } = response
    all.push({
      what: `${path} ${status}`,
      sniffing: got.get('x-content-type-options'),
      tls: got.get('strict-transport-security'),
    })
  }
  for (const [what, bytes] of [
    ['no host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no HTTP', 'nonsense\r\n\r\n'],
    ['a path that cannot be decoded', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['headers too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ] as const) {
    const { status, headers } = await sendRaw(base, bytes)
    assert(status >= 400, what)
    all.push({
      what,
      sniffing: headers.get('x-content-type-options') ?? null,
      tls: headers.get('strict-transport-security') ?? null,
    })
  }
  return all
}

async function assertTold(base: string, tls: string | null): Promise<void> {
  for (const response of await collectHeaders(base)) {
    assert.deepEqual(response, { what: response.what, sniffing: 'nosniff', tls })
  }
}

test('every response forbids content sniffing, and sets HSTS where the public address has TLS', async () => {
  await assertTold(overTls.base, year)
  await assertTold(inClear.base, null)
  for (const path of ['/docs', '/docs.md', '/llms.txt', '/openapi.json', '/openapi-v2.json']) {
    const { status, headers } = await fetch(overTls.base + path)
    const got = [status, headers.get('x-content-type-options'), headers.get('strict-transport-security')]
    assert.deepEqual(got, [200, 'nosniff', year], path)
  }
})

test('the alternative address is plain HTTP on purpose and sets no HSTS', async () => {
  await assertTold(overTls.alternative, null)
})

test('the sample proxy sets each header once, also in its own refusals', async () => {
  const proxy = await startProxy(new URL(overTls.base).host)
  const nobody = await startProxy('127.0.0.1:1')
  for (const [base, status] of [
    [proxy.base, 200],
    [nobody.base, 502],
  ] as const) {
    const response = await fetch(`${base}/livez`)
    const { headers } = response
    const got = [response.status, headers.get('x-content-type-options'), headers.get('strict-transport-security')]
    assert.deepEqual(got, [status, 'nosniff', year])
  }
})

test('metrics are reachable only from this machine when the API listens on all addresses', async () => {
  const at = (url: string) => url.replace('127.0.0.1', '127.0.0.2')
  assert.equal((await fetch(at(`${inClear.base}/livez`))).status, 200)
  await assertMetrics(inClear)
  await assert.rejects(fetch(at(inClear.metrics)), ({ cause }) => cause.code === 'ECONNREFUSED')
  const shown = await serve(installation, { RINGPROOF_METRICS_HOST: '0.0.0.0' }, '--roles', 'keeper')
  assert.equal((await fetch(at(shown.metrics))).status, 200)
})

async function assertMetrics({ metrics }: Served): Promise<void> {
  const { status, headers } = await fetch(metrics)
  assert.deepEqual([status, headers.get('x-content-type-options')], [200, 'nosniff'])
}
