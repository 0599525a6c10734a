// A tariff is a list of dated prices. A price for the country takes precedence over one for any country; among those the
// newest valid one counts. Without a price the method is not sold.

import { pricedMethods } from '@ringproof/contract/lists/money.ts'
import { type CallMode, callModes } from '@ringproof/contract/methods.ts'
import { isCountryCode } from '../numbers/country.ts'
import { type MicroAmount, zeroMoney } from './money.ts'

export const anyCountry = '*'
export const defaultTariff = 'uni'

type PricedMethod = (typeof pricedMethods)[number]

// Only initCall has modes; the others are priced under the empty one.
type PricedMode = CallMode | ''

export type Price = {
  readonly method: PricedMethod
  readonly mode: PricedMode
  readonly country: string
  readonly price: MicroAmount
  readonly validFrom: Date
}

// The prices in force at the time of reading.
export type PriceList = { readonly pricesOf: (tariff: string) => readonly Price[]; readonly readAt: Date }

// Calls of an installation for its own users cost nothing, whatever prices it had before.
export const freePrices: readonly Price[] = pricedMethods.flatMap((method) =>
  (method === 'initCall' ? callModes : ['' as const]).map((mode) => ({
    method,
    mode,
    country: anyCountry,
    price: zeroMoney,
    validFrom: new Date(0),
  })),
)

export type PricedItem = Pick<Price, 'method' | 'mode' | 'country'>

export function priceOf(prices: readonly Price[], item: PricedItem, at: Date): MicroAmount | undefined {
  const inForce = prices.filter(
    (price) => price.method === item.method && price.mode === item.mode && price.validFrom <= at,
  )
  return (newest(inForce, item.country) ?? newest(inForce, anyCountry))?.price
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
