// Money is a whole number of micro-units. Input is parsed digit by digit, never as floating point, with at most four
// decimals, because that is what the API can show.

import type { Parser } from '../values/parsers.ts'

export type MicroAmount = number & { readonly unit: 'micro-units' }

export const zeroMoney = 0 as MicroAmount

// The largest amount: a billion, well below 2^53 micro-units.
export const moneyMax = 1_000_000_000_000_000 as MicroAmount

// '12', '0.8', '0.0001' → micro-units; anything else → undefined.
export function parseDecimal(text: string): MicroAmount | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,4}))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  const micro = Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'))
  return micro <= moneyMax ? (micro as MicroAmount) : undefined
}

export const amountText: Parser<MicroAmount> = {
  expects: 'an amount, such as 100 or 0.85',
  parse: parseDecimal,
}

export function addMoney(...amounts: readonly MicroAmount[]): MicroAmount {
  const sum = amounts.reduce<number>((total, amount) => total + amount, 0)
  if (!Number.isSafeInteger(sum)) throw new RangeError('sum of money exceeds 2^53 micro-units')
  return sum as MicroAmount
}

export function negative(amount: MicroAmount): MicroAmount {
  return (0 - amount) as MicroAmount
}

// For people and JSON strings: '99.2', '100', '-0.0001'.
export function formatDecimal(amount: MicroAmount): string {
  const digits = String(Math.abs(amount)).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -6)}${fraction ? `.${fraction}` : ''}`
}

// For JSON numbers: the double nearest to the decimal text, so that 0.8 is 0.8.
export function toDecimal(amount: MicroAmount): number {
  return Number(formatDecimal(amount))
}
