import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setService } from '../../server/src/actions/accounts/services.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { install, makeService, serve } from '../support/process/server.ts'

const installation = await install()
const service = await makeService(installation)
const fast = await makeService(installation)
const { base, metrics } = await serve(installation, {
  RINGPROOF_REQUESTS_PER_SECOND: '30',
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
})
const from = (address: string, headers: Record<string, string> = service.bearer) =>
  ask(`${base}/v1.0/getBalance`, { headers: { ...headers, 'x-forwarded-for': address } })

async function burst(count: number, address: string, headers?: Record<string, string>) {
  const startedMs = performance.now()
  const asked = await Promise.all(Array.from({ length: count }, () => from(address, headers)))
  const tookSeconds = (performance.now() - startedMs) / 1000
  return {
    limited: asked.filter(({ status }) => status === 429),
    served: asked.filter((a) => a.status === 200),
    tookSeconds,
  }
}

test('an address gets thirty requests a second, and another address is not affected', async () => {
  const { limited, served, tookSeconds } = await burst(100, '198.51.100.1')
  assert(served.length >= 30 && served.length <= 31 + 30 * tookSeconds, `${served.length} in ${tookSeconds} s`)
  for (const asked of limited) {
    assertRefused(asked, 429, 429)
    assert.equal(asked.headers.get('retry-after'), '1')
  }
  assert.equal((await from('198.51.100.2')).status, 200)
  const text = await (await fetch(metrics)).text()
  assert.match(text, new RegExp(`ringproof_rate_limited_total\\{rule="address_rate"\\} ${limited.length}\\n`))
})

test('a /64 of IPv6 is limited as one client', async () => {
  const asked = await Promise.all(Array.from({ length: 100 }, (_, n) => from(`2001:db8:0:1::${(n + 1).toString(16)}`)))
  assert(asked.some(({ status }) => status === 429))
  assert.equal((await from('2001:db8:0:2::1')).status, 200)
})

test('a service can have a higher rate', async () => {
  const { slots } = installation
  const actor = { address: 'test', userAgent: '' }
  await setService({ slots }, actor, { serviceId: fast.serviceId, texts: { 'requests-per-second': '200' } })
  const { served } = await burst(150, '198.51.100.3', fast.bearer)
  assert.equal(served.length, 150)
})

test('five wrong keys in a second block the address, valid keys included, for one second', async () => {
  const wrong = { authorization: `Bearer ${'k'.repeat(32)}.${service.serviceId}` }
  const guess = async (address: string) => {
    const startedMs = performance.now()
    const guesses = await Promise.all(Array.from({ length: 5 }, () => from(address, wrong)))
    for (const guessed of guesses) assertRefused(guessed, 401, 401)
    return { address, startedMs, valid: await from(address) }
  }
  // A machine that takes longer for its guesses than a guess counts tries again, from the next address.
  let nth = 100
  let guessed = await guess(`198.51.100.${nth}`)
  while (guessed.valid.status === 200) {
    assert(performance.now() - guessed.startedMs > 990, 'an address that guessed is served')
    guessed = await guess(`198.51.100.${++nth}`)
  }
  const { address, startedMs, valid } = guessed
  assertRefused(valid, 0, 403)
  assert.equal((await ask(`${base}/health`, { headers: { 'x-forwarded-for': address } })).status, 200)
  assert.equal((await from('198.51.100.5')).status, 200)
  // Requests refused meanwhile must not extend the block, or a client that keeps asking would stay blocked.
  const status = async () => (await from(address)).status
  await poll('the address to be served again', status, (value) => value !== 403, { intervalMs: 1 })
  assert(performance.now() - startedMs > 990, 'the block ended too early')
})
