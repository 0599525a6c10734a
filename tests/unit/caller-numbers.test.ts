// Sets of numbers, lists that are imported, code coverage with its causes, and even use: each against a plain count.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CallerRange, codesCovered, type NumberSpan } from '../../server/src/domain/trunks/caller-pool.ts'
import { codesOnlyIn, coverageOf, spreadOf } from '../../server/src/domain/trunks/code-coverage.ts'
import { planImport, readNumberFile } from '../../server/src/domain/trunks/number-import.ts'
import { commonSpans, isInSpans, joinSpans, subtractSpans } from '../../server/src/domain/trunks/number-spans.ts'
import { type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'

const low = 70_000_000_000
const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 9 }))
    .map(([first, more]) => ({ first: low + first, last: low + first + more })),
  { maxLength: 8 },
)

function numbersOf(some: readonly NumberSpan[]): ReadonlySet<number> {
  return new Set(some.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at)))
}

const sorted = (numbers: Iterable<number>) => [...numbers].toSorted((a, b) => a - b)

test('spans join, subtract and intersect like sets of numbers', () => {
  fc.assert(
    fc.property(spans, spans, fc.integer({ min: low - 2, max: low + 80 }), (one, other, number) => {
      const [a, b] = [numbersOf(one), numbersOf(other)]
      const joined = joinSpans(one)
      assert.deepEqual(sorted(numbersOf(joined)), sorted(a))
      assert(joined.every(({ first }, at) => at === 0 || first > (joined[at - 1]?.last ?? 0) + 1))
      assert.deepEqual(sorted(numbersOf(subtractSpans(one, other))), sorted([...a].filter((n) => !b.has(n))))
      assert.deepEqual(sorted(numbersOf(commonSpans(one, other))), sorted([...a].filter((n) => b.has(n))))
      assert.equal(isInSpans(joined, number), a.has(number))
    }),
    { numRuns: 300 },
  )
})

test('a list is read as carriers spell it, and lines that are no number are named', () => {
  const text = [
    'first;last',
    '70000000000-70000000416',
    '+7 (000) 000-04-18',
    '70000000500;70000000509',
    '"70000000600","70000000601"',
    '',
    '7000-000-0700',
    '70000000500',
    '70000000009..70000000011',
    'number',
    '70000000900-70000000800',
    '70000000000-7000000001',
    '70000000000-79999999999',
    '123',
  ].join('\r\n')
  const { spans: read, repeated, invalidLines } = readNumberFile(text)
  assert.deepEqual(read, [
    { first: 70000000000, last: 70000000416 },
    { first: 70000000418, last: 70000000418 },
    { first: 70000000500, last: 70000000509 },
    { first: 70000000600, last: 70000000601 },
    { first: 70000000700, last: 70000000700 },
  ])
  assert.equal(repeated, 4)
  assert.deepEqual(invalidLines, [10, 11, 12, 13, 14])
})

test('an import adds what is new and leaves out what is there or has another use', () => {
  const owned = [
    { trunk: 'a', country: 'RU', first: low, last: low + 9 },
    { trunk: 'b', country: 'RU', first: low + 20, last: low + 29 },
    { trunk: 'a', country: 'KZ', first: low + 40, last: low + 40 },
  ]
  const plan = planImport([{ first: low + 5, last: low + 44 }], { trunk: 'a', country: 'RU' }, owned, [
    { number: low + 44 },
  ])
  assert.deepEqual(
    plan.ranges.map(({ first, last }) => [first - low, last - low]),
    [
      [10, 19],
      [30, 39],
      [41, 43],
    ],
  )
  assert.deepEqual([plan.added, plan.duplicates, plan.taken], [23, 5, 12])
})

function trunk(name: string, changes: Partial<Trunk> = {}): Trunk {
  return { ...trunkDefaults, name, channels: 1, callsPerSecond: 1, ...changes }
}

test('a code without a live number has its cause, and coverage agrees with the codes that are drawn', () => {
  const trunks = [trunk('on'), trunk('off', { isOn: false }), trunk('far', { countries: ['KZ'] })]
  const range = (name: string, first: number, last: number): CallerRange => ({
    trunk: name,
    country: 'RU',
    first: low + first,
    last: low + last,
  })
  const owned = [range('on', 1, 9_990), range('off', 9_991, 9_994), range('far', 9_995, 9_996)]
  const live = [range('on', 1, 416), range('on', 419, 9_990), ...owned.slice(1)]
  const { counts, gaps } = coverageOf({ trunks, live, owned }, 'RU')
  assert.deepEqual(
    gaps.map(({ first, last, cause, trunk: holder }) => [first, last, cause, holder ?? '']),
    [
      ['0417', '0418', 'quarantined', ''],
      ['9991', '9994', 'trunk-off', 'off'],
      ['9995', '9996', 'trunk-elsewhere', 'far'],
      ['9997', '9999', 'none', ''],
    ],
  )
  const covered = codesCovered(live.filter((one) => one.trunk === 'on'))
  assert.equal(
    counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0),
    covered.length,
  )
  assert.deepEqual(codesOnlyIn(coverageOf({ trunks, live: owned, owned }, 'RU').counts, counts), [
    { first: '0417', last: '0418' },
  ])
})

test('random use is even, and a code that customers ask for is not', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (const [calls, numbers] of [
    [20_000, 10_000],
    [20_000, 300],
    [2_000, 10_000],
  ] as const) {
    const counts = new Map<number, number>()
    for (let call = 0; call < calls; call++) {
      const number = Math.floor(random() * numbers)
      counts.set(number, (counts.get(number) ?? 0) + 1)
    }
    const spread = spreadOf([...counts.values()], numbers)
    assert.deepEqual([spread.calls, spread.unused, spread.isEven], [calls, numbers - counts.size, true])
    const asked = spreadOf([...counts.values(), calls / 10], numbers)
    assert.equal(asked.isEven, false)
  }
  assert.deepEqual(spreadOf([], 0), { calls: 0, numbers: 0, unused: 0, most: 0, isEven: true })
})
