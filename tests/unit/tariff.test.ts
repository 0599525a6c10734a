import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { isCountry, isModeOf, type Price, priceOf } from '../../server/src/domain/money/tariff.ts'

const price = (country: string, day: string, micro: number): Price => ({
  method: 'initCall',
  mode: 'flash',
  country,
  price: micro as MicroAmount,
  validFrom: new Date(`${day}T00:00:00Z`),
})
const prices = [
  price('*', '2026-01-01', 900),
  price('RU', '2026-01-01', 400),
  price('RU', '2026-06-01', 500),
  price('RU', '2027-01-01', 600),
  price('*', '2026-07-01', 950),
]
const at = new Date('2026-11-15T00:00:00Z')

test('a country price precedes the default; the newest price in force precedes older and future ones', () => {
  assert.equal(priceOf(prices, { method: 'initCall', mode: 'flash', country: 'RU' }, at), 500)
  assert.equal(priceOf(prices, { method: 'initCall', mode: 'flash', country: 'KZ' }, at), 950)
  assert.equal(priceOf(prices, { method: 'initCall', mode: 'flash', country: 'RU' }, new Date('2026-02-01')), 400)
})

test('a method without a price is not sold', () => {
  assert.equal(priceOf(prices, { method: 'initCall', mode: 'voice', country: 'RU' }, at), undefined)
  assert.equal(priceOf(prices, { method: 'checkPhone', mode: '', country: '*' }, at), undefined)
  assert.equal(priceOf(prices, { method: 'initCall', mode: 'flash', country: 'RU' }, new Date('2025-01-01')), undefined)
})

test('only initCall has modes; a country is an ISO 3166 code or *', () => {
  assert(
    isModeOf('initCall', 'mix') &&
      !isModeOf('initCall', '') &&
      isModeOf('checkPhone', '') &&
      !isModeOf('checkPhone', 'mix'),
  )
  for (const country of ['RU', 'KZ', 'GB', 'AX', 'ZW', '*']) assert(isCountry(country), country)
  for (const none of ['ru', 'RUS', '', 'XX', 'QQ', 'UK', 'SU', 'ZZ', 'RU KZ']) assert(!isCountry(none), none)
})
