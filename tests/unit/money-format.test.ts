// How amounts are written, in every combination that differs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMoneyFormat, minorDigits } from '../../contract/src/money-format.ts'

// Spaces of all widths become one.
const written = (text: string) => text.replaceAll(/\s/gu, ' ')

test('sums have the symbol, the decimals and the order of their currency and language', () => {
  for (const [currency, en, ru] of [
    ['RUB', '₽1,234.50', '1 234,50 ₽'],
    ['EUR', '€1,234.50', '1 234,50 €'],
    ['KZT', '₸1,234.50', '1 234,50 ₸'],
    ['JPY', '¥1,235', '1 235 ¥'],
    ['KWD', 'KWD 1,234.500', '1 234,500 KWD'],
  ] as const) {
    const both = [createMoneyFormat('en', currency), createMoneyFormat('ru', currency)]
    assert.deepEqual(
      both.map(({ money }) => written(money(1_234.5))),
      [en, ru],
    )
  }
})

test('a price shows parts of the smallest coin, a cap only the decimals it has', () => {
  const [euro, yen, dinar] = ['EUR', 'JPY', 'KWD'].map((currency) => createMoneyFormat('en', currency))
  assert.deepEqual(
    [euro?.price(0.4), euro?.price(0.4005), euro?.cap(1_500), euro?.cap(99.5)],
    ['€0.40', '€0.4005', '€1,500', '€99.50'],
  )
  assert.deepEqual([yen?.price(40), yen?.price(0.25), yen?.cap(1_500)], ['¥40', '¥0.25', '¥1,500'])
  assert.deepEqual(
    [dinar?.price(0.4), dinar?.symbol, euro?.symbol].map((text) => written(text ?? '')),
    ['KWD 0.400', 'KWD', '€'],
  )
})

test('commands write the code', () => {
  assert.equal(written(createMoneyFormat('en', 'RUB', 'code').price(-12.3)), '-RUB 12.30')
})

test('payments have two decimals, or those of the currency', () => {
  assert.deepEqual(['RUB', 'EUR', 'JPY', 'KWD'].map(minorDigits), [2, 2, 0, 3])
})
