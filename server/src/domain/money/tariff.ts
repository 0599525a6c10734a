// A tariff is a list of dated prices. For a wanted thing the price of its own country goes before the price of any
// country, and among those the newest one that is already in force counts. No price: the thing is not sold.

import { type CallMode, callModes } from '@ringproof/contract/methods.ts'
import { isCountryCode } from '../numbers/country.ts'
import type { MicroRoubles } from './money.ts'

export const anyCountry = '*'
export const defaultTariff = 'uni'

export const pricedMethods = ['initCall', 'inboundCallWaiting', 'checkPhone'] as const
type PricedMethod = (typeof pricedMethods)[number]

// Only initCall has modes; the others are priced under the empty one.
type PricedMode = CallMode | ''

export type Price = {
  readonly method: PricedMethod
  readonly mode: PricedMode
  readonly country: string
  readonly price: MicroRoubles
  readonly validFrom: Date
}

type Wanted = Pick<Price, 'method' | 'mode' | 'country'>

export function priceOf(prices: readonly Price[], wanted: Wanted, at: Date): MicroRoubles | undefined {
  const inForce = prices.filter(
    (price) => price.method === wanted.method && price.mode === wanted.mode && price.validFrom <= at,
  )
  return (newest(inForce, wanted.country) ?? newest(inForce, anyCountry))?.price
}

export function isPricedMethod(text: string): text is PricedMethod {
  return (pricedMethods as readonly string[]).includes(text)
}

export function isModeOf(method: PricedMethod, mode: string): mode is PricedMode {
  return method === 'initCall' ? (callModes as readonly string[]).includes(mode) : mode === ''
}

export function isCountry(text: string): boolean {
  return text === anyCountry || isCountryCode(text)
}

function newest(prices: readonly Price[], country: string): Price | undefined {
  return prices
    .filter((price) => price.country === country)
    .toSorted((a, b) => b.validFrom.getTime() - a.validFrom.getTime())[0]
}
