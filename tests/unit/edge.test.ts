// Parts of the HTTP edge, each on its own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isOnList, limitKey } from '../../server/src/domain/accounts/client-address.ts'
import { createAddressLimits } from '../../server/src/http/address-limits.ts'
import { languageOf } from '../../server/src/http/language.ts'
import type { Clock } from '../../server/src/process/clock.ts'
import { createLog, scrubbed } from '../../server/src/process/log/log.ts'

function handClock(): Clock & { atMs: number } {
  const clock = {
    atMs: 0,
    monotonicMs: () => clock.atMs,
    timeOfDayMs: () => clock.atMs,
    every: () => ({ stop: () => undefined }),
    after: () => ({ stop: () => undefined }),
    sleep: async () => undefined,
    pause: async () => undefined,
    deadline: () => ({ over: Promise.resolve(), stop: () => undefined }),
    scaledMs: (durationMs: number) => durationMs,
  }
  return clock
}

test('within any second an address gets at most its rate plus one bucket; one that stays below the rate is never refused', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), gaps, (perSecond, gapsMs) => {
      const clock = handClock()
      const limits = createAddressLimits(clock)
      const passed: number[] = []
      for (const gapMs of gapsMs) {
        clock.atMs += gapMs
        if (limits.take('203.0.113.7', '', perSecond) === undefined) passed.push(clock.atMs)
        const lastSecond = passed.filter((atMs) => atMs > clock.atMs - 1_000).length
        assert(lastSecond <= perSecond * 2)
      }
      clock.atMs += 1_000
      assert.equal(limits.take('203.0.113.7', '', perSecond), undefined)
    }),
  )
})

test('five failures within a second block an address until the first of them is a second old', () => {
  const clock = handClock()
  const limits = createAddressLimits(clock)
  for (let n = 0; n < 5; n++) {
    assert(!limits.failsTooOften('203.0.113.7'))
    limits.noteFailure('203.0.113.7')
    clock.atMs += 100
  }
  assert(limits.failsTooOften('203.0.113.7'))
  assert(!limits.failsTooOften('203.0.113.8'))
  clock.atMs = 999
  assert(limits.failsTooOften('203.0.113.7'))
  clock.atMs = 1_000
  assert(!limits.failsTooOften('203.0.113.7'))
})

test('an IPv6 /64 counts as one client, an IPv4 address as one', () => {
  for (const [address, key] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
    ['2001:DB8:0000:0001:1:2:3:4', '2001:db8:0:1::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ] as const) {
    assert.equal(limitKey(address), key)
  }
})

test('allow-lists contain IPv4 and IPv6 addresses and networks', () => {
  const list = ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32']
  for (const address of ['203.0.113.200', '::ffff:203.0.113.1', '198.51.100.7', '2001:db8:1::1']) {
    assert(isOnList(list, address), address)
  }
  for (const address of ['203.0.114.1', '198.51.100.8', '2001:db9::1', '::1']) assert(!isOnList(list, address), address)
})

test('Accept-Language selects the language of error sentences', () => {
  for (const [header, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['ru', 'ru'],
    ['ru-RU,ru;q=0.9,en;q=0.5', 'ru'],
    ['en-GB,en;q=0.9,ru;q=0.8', 'en'],
    ['en;q=0.1, ru;q=0.2', 'ru'],
    ['ru;q=nonsense', 'ru'],
    ['de, *', 'en'],
  ] as const) {
    assert.equal(languageOf(header), language, header)
  }
})

test('an error is logged with its cause; keys, secrets and numbers are masked', () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => void lines.push(line) })
  const key = 'aB3'.repeat(11).slice(0, 32)
  const cause = new Error(`dialling +79000000001 with whsec_${key}`)
  log.error({ err: new Error(`key ${key}`, { cause }) }, 'request failed')
  const [line = ''] = lines
  assert.match(line, /"message":"key \*\*\*"/)
  assert.match(line, /"cause":\{"type":"Error","message":"dialling \+\*\*\* with whsec_\*\*\*"/)
  assert(!line.includes(key) && !line.includes('79000000001'))
  assert.equal(scrubbed('account 123456 has 7 services'), 'account 123456 has 7 services')
})
