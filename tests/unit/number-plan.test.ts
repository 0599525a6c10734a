import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import metadata from 'libphonenumber-js/metadata.max.json'
import { describeNumber } from '../../server/src/domain/numbers/number-plan.ts'
import { emptyNumberingIndex } from '../../server/src/domain/numbers/numbering-index.ts'
import { isTestNumber } from '../../server/src/domain/numbers/test-number.ts'

// Unassigned numbers: reserved for films, or all zeros at the end.
const numbers: readonly [digits: string, country: string | undefined, expected: string][] = [
  ['79000000123', 'RU', 'mobile called'],
  ['74950000001', 'RU', 'fixed called'],
  ['77000000001', 'KZ', 'mobile called'],
  ['77172000001', 'KZ', 'fixed called'],
  ['77510000001', 'KZ', 'other called'],
  ['76000000001', 'KZ', 'invalid'],
  ['375291000001', 'BY', 'mobile called'],
  ['998900000001', 'UZ', 'mobile called'],
  ['493023125001', 'DE', 'fixed called'],
  ['442079460123', 'GB', 'fixed called'],
  ['12025550123', 'US', 'mobile called'],
  ['14165550123', 'CA', 'mobile called'],
  // Toll-free, premium-rate and shared-cost.
  ['78000000001', 'RU', 'other'],
  ['78030000001', 'RU', 'other'],
  ['78090000001', 'RU', 'other'],
  ['18005550123', 'US', 'other'],
  ['19005550123', 'US', 'other'],
  ['448081570123', 'GB', 'other'],
  ['448430000001', 'GB', 'other'],
  ['449098790123', 'GB', 'other'],
  ['33891000001', 'FR', 'other'],
  ['49180000001', 'DE', 'other'],
  // Personal numbers with an unknown price, conference services, pagers, voicemail.
  ['447000000001', 'GB', 'other'],
  ['15005550123', 'US', 'other'],
  ['78080000001', 'RU', 'other'],
  ['445500000001', 'GB', 'other'],
  ['447640000001', 'GB', 'other'],
  ['4781200001', 'NO', 'other'],
  // Satellite and other non-geographic numbers.
  ['870770000001', undefined, 'mobile'],
  ['881600000001', undefined, 'mobile'],
  ['881800000001', undefined, 'mobile'],
  ['88213000001', undefined, 'other'],
  ['883510000000001', undefined, 'other'],
  ['80000000001', undefined, 'other'],
  ['979100000001', undefined, 'other'],
  ['878100000000001', undefined, 'other'],
  // Inside +7, but not Russia.
  ['78400000001', 'GE', 'fixed'],
  ['78500000001', 'GE', 'fixed'],
  ['79400000001', 'GE', 'mobile'],
  ['79540000001', 'RU', 'other'],
  ['79710000001', 'RU', 'other'],
  // Never assigned, too short, too long, or not a number.
  ['447700900123', undefined, 'invalid'],
  ['7495', 'RU', 'invalid'],
  ['749500000001', 'RU', 'invalid'],
  ['112', undefined, 'invalid'],
  ['7', undefined, 'invalid'],
  ['', undefined, 'invalid'],
  ['00000000000', undefined, 'invalid'],
  ['999999999999999', undefined, 'invalid'],
]

test('country, kind and whether we call it, for one number of each kind', () => {
  for (const [digits, country, expected] of numbers) {
    const { isValid, kind, isCallable, ...rest } = describeNumber(digits, emptyNumberingIndex)
    assert.equal(isValid ? `${kind}${isCallable ? ' called' : ''}` : 'invalid', expected, digits)
    assert.equal(rest.country, country, digits)
  }
})

test('every spelling of a number normalises to one', () => {
  for (const [digits, other] of [
    ['79000000123', '789000000123'],
    ['442079460123', '4402079460123'],
    ['493023125001', '4903023125001'],
    ['79000000123', '7900000012３'],
    ['79000000123', '79000000123;ext=5'],
    ['79000000123', '+79000000123'],
  ] as const) {
    assert(describeNumber(digits, emptyNumberingIndex).isCallable, digits)
    assert(!describeNumber(other, emptyNumberingIndex).isValid, other)
  }
})

test('the two test numbers are accepted whatever the plans say', () => {
  for (const digits of ['79000000001', '79000000002']) {
    assert(isTestNumber(digits))
    assert.deepEqual(describeNumber(digits, emptyNumberingIndex), {
      country: 'RU',
      isValid: true,
      kind: 'mobile',
      isCallable: true,
    })
  }
  for (const digits of ['79000000000', '79000000003', '9000000001']) assert(!isTestNumber(digits))
})

test('for any digits: a callable number is valid and has a country', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,15}$/), (digits) => {
      const { country, isValid, isCallable } = describeNumber(digits, emptyNumberingIndex)
      assert(!isCallable || (isValid && country !== undefined))
    }),
    { numRuns: 2_000 },
  )
})

// The target is 50 µs a number. Parsing the table of all plans takes a millisecond on the same machine, so a fifth of that still
// finds a table that is parsed for every number.
test('classifying a number takes a fraction of parsing the table of plans', () => {
  const prefixes = ['7900000', '7700000', '1202555', '4477009', '4917139']
  const some = Array.from({ length: 200 }, (_, at) => `${prefixes[at % prefixes.length]}${1_000 + at}`)
  const table = JSON.stringify(metadata)
  const spent = { classifying: 0, parsing: 0 }
  for (let round = 0; round < 10; round++) {
    spent.classifying += cpuMicrosOf(() => some.map((digits) => describeNumber(digits, emptyNumberingIndex)))
    spent.parsing += cpuMicrosOf(() => some.slice(0, 5).map(() => JSON.parse(table) as unknown)) * 40
  }
  assert(spent.classifying < spent.parsing / 5, `${spent.classifying} µs, and ${spent.parsing} µs to parse as often`)
})

function cpuMicrosOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
