import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  formatDecimal,
  type MicroAmount,
  moneyMax,
  parseDecimal,
  toDecimal,
} from '../../server/src/domain/money/money.ts'

test('decimals are parsed exactly', () => {
  for (const [text, micro] of [
    ['100', 100_000_000],
    ['0.8', 800_000],
    ['0.0001', 100],
    ['1000000000', 1_000_000_000_000_000],
  ] as const) {
    assert.equal(parseDecimal(text), micro, text)
  }
  for (const text of ['', '-1', '1,5', '1.', '.5', '1e3', '0.00001', ' 1', '1000000000.0001', '٣']) {
    assert.equal(parseDecimal(text), undefined, text)
  }
})

test('formatted amounts parse back to the same amount', () => {
  const prices = fc.integer({ min: 0, max: moneyMax / 100 }).map((hundreds) => (hundreds * 100) as MicroAmount)
  fc.assert(
    fc.property(prices, (amount) => {
      assert.equal(parseDecimal(formatDecimal(amount)), amount)
      assert.equal(Math.round(toDecimal(amount) * 1_000_000), amount)
    }),
    { numRuns: 2_000 },
  )
  assert.equal(formatDecimal(-100 as MicroAmount), '-0.0001')
})
