import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CallerRange } from '../../server/src/domain/trunks/caller-pool.ts'
import { codesFor, pickCode, routesFor, shownRanges, type WantedCall } from '../../server/src/domain/trunks/routing.ts'
import { type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'

const trunk = (name: string, priority: number, more: Partial<Trunk> = {}): Trunk => ({
  ...trunkDefaults,
  name,
  priority,
  channels: 10,
  callsPerSecond: 5,
  ...more,
})
const range = (of: string, country: string, first: number, last: number): CallerRange => ({
  trunk: of,
  country,
  first,
  last,
})

const trunks = [
  trunk('late', 30),
  trunk('beta', 20),
  trunk('alpha', 20, { countries: ['RU', 'KZ'] }),
  trunk('first', 10, { countries: ['RU'] }),
  trunk('off', 1, { isOn: false }),
  trunk('phones', 0, { isTest: true }),
]
const ranges = [
  range('first', 'RU', 70000000000, 70000000999),
  range('alpha', 'RU', 70001230000, 70001239999),
  range('alpha', 'KZ', 77170000000, 77170000100),
  range('beta', '*', 440000001234, 440000001234),
  range('off', '*', 70090000000, 70099999999),
  range('phones', '*', 70090000000, 70099999999),
  range('nobody', 'RU', 70090000000, 70099999999),
]

test('routes follow trunk priority, each with a number of its trunk', () => {
  const cases: readonly [wanted: WantedCall, expected: string][] = [
    [{ country: 'RU', mode: 'flash', code: '0123' }, 'first 70000000123, alpha 70001230123'],
    [{ country: 'RU', mode: 'mix', code: '0123' }, 'first 70000000123, alpha 70001230123'],
    [{ country: 'RU', mode: 'flash', code: '1234' }, 'alpha 70001231234, beta 440000001234'],
    [{ country: 'KZ', mode: 'flash', code: '0100' }, 'alpha 77170000100'],
    [{ country: 'KZ', mode: 'flash', code: '0101' }, 'noCallerNumber'],
    [{ country: 'KZ', mode: 'mix', code: '9999' }, 'noCallerNumber'],
    [{ country: 'KZ', mode: 'voice', code: '9999' }, 'alpha 77170000000, beta 440000001234'],
    [{ country: 'GB', mode: 'flash', code: '1234' }, 'beta 440000001234'],
    [{ country: 'GB', mode: 'voice', code: '5555' }, 'beta 440000001234'],
  ]
  for (const [wanted, expected] of cases)
    assert.equal(routesText(trunks, ranges, wanted), expected, JSON.stringify(wanted))
})

test('without a route the cause is named; voice never asks for another code', () => {
  const flash: WantedCall = { country: 'KZ', mode: 'flash', code: '0100' }
  assert.equal(routesText([], ranges, flash), 'no_trunk')
  assert.equal(routesText([trunk('off', 1, { isOn: false })], ranges, flash), 'trunks_off')
  assert.equal(routesText([trunk('first', 10, { countries: ['RU'] })], ranges, flash), 'no_trunk')
  assert.equal(routesText([trunk('late', 30)], ranges, flash), 'no_caller_number')
  assert.equal(routesText([trunk('late', 30)], ranges, { ...flash, mode: 'voice' }), 'no_caller_number')
})

test('the codes of a country are those that have a route', () => {
  for (const country of ['RU', 'KZ', 'GB']) {
    const codes = new Set(codesFor(trunks, ranges, country))
    for (let number = 0; number < 10_000; number += 3) {
      const code = String(number).padStart(4, '0')
      const { routes } = routesFor(trunks, ranges, { country, mode: 'flash', code }, 0)
      assert.equal(codes.has(code), code !== '0000' && routes !== undefined, `${country} ${code}`)
    }
  }
  assert.deepEqual(codesFor(trunks, ranges, 'GB'), ['1234'])
  assert.deepEqual(codesFor([], ranges, 'RU'), [])
})

test('every route shows a number of its trunk, for the country, that ends with the code', () => {
  const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const countries = fc.constantFrom('RU', 'KZ', 'GB')
  const modes = fc.constantFrom('flash' as const, 'voice' as const, 'mix' as const)
  fc.assert(
    fc.property(randoms, countries, modes, fc.integer({ min: 1, max: 9_999 }), (randomBytes, country, mode, number) => {
      const code = String(number).padStart(4, '0')
      const { routes = [] } = routesFor(trunks, ranges, { country, mode, code }, randomBytes)
      for (const { trunk: by, callerNumber } of routes) {
        assert(by.isOn && !by.isTest && (by.countries.includes('*') || by.countries.includes(country)))
        assert(ranges.some((one) => isShown(one, by.name, country) && isWithin(one, callerNumber)))
        assert(mode === 'voice' || String(callerNumber).endsWith(code))
      }
    }),
  )
})

test('every code is chosen with equal probability', () => {
  const codes = ['0001', '0500', '9999']
  const picked = Array.from({ length: 300 }, (_, at) => pickCode(codes, at / 300))
  for (const code of codes) assert.equal(picked.filter((one) => one === code).length, 100)
  assert.equal(pickCode(codes, 1 - Number.EPSILON / 2), '9999')
  assert.equal(pickCode([], 0.5), undefined)
})

function routesText(over: readonly Trunk[], shown: readonly CallerRange[], wanted: WantedCall): string {
  const { routes, refusal } = routesFor(over, shown, wanted, 0)
  return refusal ?? routes.map((route) => `${route.trunk.name} ${route.callerNumber}`).join(', ')
}

function isShown({ trunk: of, country }: CallerRange, name: string, wanted: string): boolean {
  return of === name && (country === wanted || country === '*')
}

function isWithin({ first, last }: CallerRange, number: number): boolean {
  return number >= first && number <= last
}

test('numbers for every country are kept once, not once for each country', () => {
  const own = { ...trunkDefaults, name: 'one', channels: 10, callsPerSecond: 5 }
  const everywhere = { trunk: 'one', country: '*', first: 70000000000, last: 70000009999 }
  const all = [everywhere, { ...everywhere, trunk: 'other' }]
  assert.equal(shownRanges(all, own, 'RU'), shownRanges(all, own, 'KZ'))
  const some = [everywhere, { ...everywhere, country: 'KZ', first: 77000000000, last: 77000009999 }]
  assert.deepEqual(shownRanges(some, own, 'RU'), [everywhere])
})
