import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  anyNumber,
  type CallerRange,
  codesCovered,
  countWithCode,
  numberWithCode,
} from '../../server/src/domain/trunks/caller-pool.ts'

const range = (first: number, last: number): CallerRange => ({ trunk: 'a', country: 'RU', first, last })

const ranges = fc.array(
  fc
    .tuple(fc.integer({ min: 70_000_000_000, max: 70_000_100_000 }), fc.integer({ min: 0, max: 21_000 }))
    .map(([first, more]) => range(first, first + more)),
  { maxLength: 3 },
)
const codes = fc.integer({ min: 0, max: 9_999 }).map((code) => String(code).padStart(4, '0'))
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('counts the numbers of a range that end with a code', () => {
  const cases: readonly [first: number, last: number, code: string, count: number][] = [
    [70000000000, 70000000000, '0000', 1],
    [70000000001, 70000009999, '0000', 0],
    [70000000001, 70000010000, '0000', 1],
    [70000001234, 70000001234, '1234', 1],
    [70000001235, 70000011233, '1234', 0],
    [70000001234, 70000011234, '1234', 2],
    [70000000000, 70009999999, '9999', 1000],
  ]
  for (const [first, last, code, count] of cases) {
    assert.equal(countWithCode(range(first, last), code), count, `${first}..${last} ${code}`)
  }
})

test('counts and codes equal those of a scan over every number', () => {
  fc.assert(
    fc.property(ranges, codes, (some, code) => {
      const endings = some.flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, at) => String(first + at).slice(-4)),
      )
      const count = some.reduce((sum, one) => sum + countWithCode(one, code), 0)
      assert.equal(count, endings.filter((ending) => ending === code).length)
      const covered = [...new Set(endings)].filter((ending) => ending !== '0000').toSorted()
      assert.deepEqual(codesCovered(some), covered)
    }),
    { numRuns: 15 },
  )
})

test('a picked number is in a range and ends with the code; without such a number none is picked', () => {
  fc.assert(
    fc.property(ranges, codes, randoms, (some, code, randomBytes) => {
      const lies = (number: number) => some.some(({ first, last }) => number >= first && number <= last)
      const picked = numberWithCode(some, code, randomBytes)
      assert.equal(picked === undefined, !some.some((one) => countWithCode(one, code) > 0))
      assert(picked === undefined || (lies(picked) && String(picked).endsWith(code)))
      const any = anyNumber(some, randomBytes)
      assert.equal(any === undefined, some.length === 0)
      assert(any === undefined || lies(any))
    }),
  )
})

test('every number is picked with equal probability, whichever range it is in', () => {
  const some = [range(70000001234, 70000001234), range(70000011234, 70000021234), range(70090000000, 70090000003)]
  const withCode = Array.from({ length: 300 }, (_, at) => numberWithCode(some, '1234', at / 300))
  for (const number of [70000001234, 70000011234, 70000021234]) {
    assert.equal(withCode.filter((picked) => picked === number).length, 100, String(number))
  }
  const small = [range(1_000_001, 1_000_001), range(2_000_001, 2_000_003)]
  const picked = Array.from({ length: 400 }, (_, at) => anyNumber(small, at / 400))
  for (const number of [1_000_001, 2_000_001, 2_000_002, 2_000_003]) {
    assert.equal(picked.filter((one) => one === number).length, 100, String(number))
  }
})

test('a pick among twenty thousand single numbers looks at few of them, and each can be picked', () => {
  let looked = 0
  const singles = Array.from({ length: 20_000 }, (_, at) => {
    const number = 70_000_000_000 + at * 3
    return {
      trunk: 'a',
      country: 'RU',
      get first() {
        looked += 1
        return number
      },
      last: number,
    }
  })
  assert.equal(numberWithCode(singles, '0417', 0), 70_000_000_417)
  looked = 0
  for (let n = 0; n < 100; n++) {
    assert.equal(String(numberWithCode(singles, '0003', n / 100)).slice(-4), '0003')
    anyNumber(singles, n / 100)
  }
  assert(looked <= 1_000, `${looked} looked at`)
  const picked = new Set(Array.from({ length: 20_000 }, (_, at) => anyNumber(singles, (at + 0.5) / 20_000)))
  assert.equal(picked.size, 20_000)
  const ended = new Set(Array.from({ length: 60 }, (_, at) => numberWithCode(singles, '0003', at / 60)))
  assert.deepEqual(
    [...ended].map(Number).toSorted((one, other) => one - other),
    Array.from(singles, ({ last }) => last).filter((number) => number % 10_000 === 3),
  )
})
