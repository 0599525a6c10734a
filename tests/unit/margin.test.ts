import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  costOf,
  marginsOf,
  previewPrice,
  type TrafficCount,
  type TrunkCost,
} from '../../server/src/domain/money/margin.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import type { Price } from '../../server/src/domain/money/tariff.ts'

const micro = (amount: number) => amount as MicroAmount
const dayMs = Date.parse('2026-11-02T00:00:00Z')
const count = (changes: Partial<TrafficCount>): TrafficCount => ({
  dayMs,
  tariff: 'uni',
  mode: 'flash',
  country: 'RU',
  trunk: 'alfa',
  calls: 100,
  dialled: 90,
  paid: 80,
  charged: micro(80 * 400_000),
  ...changes,
})
const cost = (changes: Partial<TrunkCost>): TrunkCost => ({
  trunk: 'alfa',
  mode: 'flash',
  country: '*',
  cost: micro(100_100),
  validFrom: new Date('2026-01-01'),
  ...changes,
})
const price = (country: string, amount: number): Price => ({
  method: 'initCall',
  mode: 'flash',
  country,
  price: micro(amount),
  validFrom: new Date('2026-01-01'),
})

test('the margin is what was charged less what each dialled call cost, to the micro-unit', () => {
  const [first, second, ...none] = marginsOf(
    [
      count({}),
      count({ dayMs: dayMs + 86_400_000, dialled: 10, charged: micro(1) }),
      count({ country: 'KZ', trunk: 'beta' }),
    ],
    [cost({})],
  )
  assert.deepEqual(none, [])
  assert.deepEqual(
    [first?.country, first?.calls, first?.revenue, first?.cost, first?.margin, first?.withoutCost],
    ['RU', 200, 32_000_001, 100 * 100_100, 32_000_001 - 100 * 100_100, 0],
  )
  // A trunk without a cost is said to have none, instead of being free.
  assert.deepEqual([second?.country, second?.cost, second?.withoutCost], ['KZ', 0, 90])
})

test('a cost of the country precedes one of any; the newest in force counts, a later one does not', () => {
  const costs = [
    cost({}),
    cost({ cost: micro(200), validFrom: new Date('2026-11-01') }),
    cost({ cost: micro(300), validFrom: new Date('2026-11-03') }),
    cost({ country: 'KZ', cost: micro(700) }),
  ]
  assert.equal(costOf(costs, count({})), 200)
  assert.equal(costOf(costs, count({ dayMs: Date.parse('2026-11-03') })), 300)
  assert.equal(costOf(costs, count({ dayMs: Date.parse('2026-10-01') })), 100_100)
  assert.equal(costOf(costs, count({ country: 'KZ' })), 700)
  assert.equal(costOf(costs, count({ mode: 'voice' })), undefined)
  assert.equal(costOf([], count({ trunk: '', dialled: 0 })), 0)
})

test('a preview changes exactly the paid calls that the price would apply to', () => {
  const counts = [
    count({}),
    count({ country: 'KZ', paid: 5, charged: micro(5 * 900_000) }),
    count({ tariff: 'volume', paid: 7 }),
    count({ mode: 'voice', paid: 9 }),
    count({ mode: 'inbound', paid: 11 }),
  ]
  const prices = [price('*', 400_000), price('KZ', 900_000)]
  const change = { tariff: 'uni', method: 'initCall', mode: 'flash', price: micro(500_000) } as const
  const at = new Date('2026-11-15')
  const shown = (country: string) => previewPrice(counts, [cost({})], prices, { ...change, country }, at)
  const any = shown('*')
  assert.equal(any.paid, 80)
  assert.equal(any.revenue[1] - any.revenue[0], 80 * 100_000)
  assert.equal(any.margin[1] - any.margin[0], 80 * 100_000)
  assert.deepEqual([shown('KZ').paid, shown('KZ').revenue[1] - shown('KZ').revenue[0]], [5, -5 * 400_000])
  const inbound = previewPrice(
    counts,
    [],
    prices,
    { tariff: 'uni', method: 'inboundCallWaiting', mode: '', country: '*', price: micro(0) },
    at,
  )
  assert.equal(inbound.paid, 11)
  const lookup = { tariff: 'uni', method: 'checkPhone', mode: '', country: '*', price: micro(9) } as const
  assert.equal(previewPrice(counts, [], prices, lookup, at).paid, 0)
})
