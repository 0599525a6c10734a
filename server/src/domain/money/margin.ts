// What calls brought and what carriers took, by destination, and what another price would have brought with the same calls. Counts know
// how many calls were paid; a call that was free then stays free in a preview.

import type { verificationModes } from '@ringproof/contract/lists/calls.ts'
import { addMoney, type MicroAmount, negative, zeroMoney } from './money.ts'
import { anyCountry, type Price, priceOf } from './tariff.ts'

type CountedMode = (typeof verificationModes)[number]

// Calls of one day.
export type TrafficCount = {
  readonly dayMs: number
  readonly tariff: string
  readonly mode: CountedMode
  readonly country: string
  // Empty: it never reached a carrier.
  readonly trunk: string
  readonly calls: number
  readonly dialled: number
  readonly paid: number
  readonly charged: MicroAmount
}

export type TrunkCost = {
  readonly trunk: string
  readonly mode: CountedMode
  readonly country: string
  // For one dialled call.
  readonly cost: MicroAmount
  readonly validFrom: Date
}

export type Margin = {
  readonly country: string
  readonly mode: CountedMode
  readonly calls: number
  readonly revenue: MicroAmount
  readonly cost: MicroAmount
  readonly margin: MicroAmount
  // Dialled over a trunk that has no cost: the margin is too high by them.
  readonly withoutCost: number
}

// The destination with the most revenue first.
export function marginsOf(counts: readonly TrafficCount[], costs: readonly TrunkCost[]): readonly Margin[] {
  const groups = Map.groupBy(counts, ({ country, mode }) => `${country} ${mode}`)
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      return first ? [{ country: first.country, mode: first.mode, ...totalsOf(group, costs) }] : []
    })
    .toSorted((one, other) => other.revenue - one.revenue || other.calls - one.calls)
}

export function totalsOf(
  counts: readonly TrafficCount[],
  costs: readonly TrunkCost[],
): Omit<Margin, 'country' | 'mode'> {
  let [calls, withoutCost] = [0, 0]
  let [revenue, cost] = [zeroMoney, zeroMoney]
  for (const count of counts) {
    const each = costOf(costs, count)
    calls += count.calls
    revenue = addMoney(revenue, count.charged)
    if (each === undefined) withoutCost += count.dialled
    else cost = addMoney(cost, times(each, count.dialled))
  }
  return { calls, revenue, cost, margin: addMoney(revenue, negative(cost)), withoutCost }
}

// The newest cost in force when the day began; one for the country precedes one for any. Nothing is due for calls that were not dialled.
export function costOf(
  costs: readonly TrunkCost[],
  { trunk, mode, country, dayMs, dialled }: TrafficCount,
): MicroAmount | undefined {
  if (dialled === 0) return zeroMoney
  const inForce = costs
    .filter((cost) => cost.trunk === trunk && cost.mode === mode && cost.validFrom.getTime() <= dayMs)
    .toSorted((one, other) => other.validFrom.getTime() - one.validFrom.getTime())
  const found = inForce.find((cost) => cost.country === country) ?? inForce.find((cost) => cost.country === anyCountry)
  return found?.cost
}

export type PriceChange = Pick<Price, 'method' | 'mode' | 'country' | 'price'> & { readonly tariff: string }

export type PricePreview = {
  // Calls whose price would be another one.
  readonly paid: number
  readonly revenue: readonly [before: MicroAmount, after: MicroAmount]
  readonly margin: readonly [before: MicroAmount, after: MicroAmount]
  readonly withoutCost: number
}

// All calls of the time, with the new price for those that it would apply to.
export function previewPrice(
  counts: readonly TrafficCount[],
  costs: readonly TrunkCost[],
  prices: readonly Price[],
  change: PriceChange,
  at: Date,
): PricePreview {
  const { revenue, margin, withoutCost } = totalsOf(counts, costs)
  const affected = counts.filter((count) => appliesTo(change, prices, count, at))
  const paid = affected.reduce((sum, count) => sum + count.paid, 0)
  const before = affected.reduce((sum, { charged }) => addMoney(sum, charged), zeroMoney)
  const difference = addMoney(times(change.price, paid), negative(before))
  return {
    paid,
    revenue: [revenue, addMoney(revenue, difference)],
    margin: [margin, addMoney(margin, difference)],
    withoutCost,
  }
}

// A price for any country does not touch a country that has its own.
function appliesTo(
  change: PriceChange,
  prices: readonly Price[],
  { tariff, mode, country }: TrafficCount,
  at: Date,
): boolean {
  if (tariff !== change.tariff || modeOf(change) !== mode) return false
  if (change.country !== anyCountry) return country === change.country
  const own = prices.filter((price) => price.country === country)
  return priceOf(own, { ...change, country }, at) === undefined
}

function modeOf({ method, mode }: Pick<Price, 'method' | 'mode'>): CountedMode | undefined {
  if (method === 'checkPhone') return undefined
  return method === 'initCall' && mode !== '' ? mode : 'inbound'
}

function times(amount: MicroAmount, count: number): MicroAmount {
  const product = amount * count
  if (!Number.isSafeInteger(product)) throw new RangeError('product of money exceeds 2^53 micro-units')
  return product as MicroAmount
}
