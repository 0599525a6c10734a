// What a number is, by the numbering plans of the world: its country, whether it was ever given out, and whether we call
// it. We call what is named below and nothing else: fixed, mobile and internet lines of a country. A call to anything else
// costs more than it proves, and some of those numbers are made to be called for their owner's profit.

import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max'

export type NumberDescription = {
  // ISO 3166; undefined for what belongs to no country, such as satellites, and for what is no number.
  readonly country: string | undefined
  readonly isValid: boolean
  readonly kind: 'mobile' | 'fixed' | 'other'
  readonly isCallable: boolean
}

// These play their part whatever the plans say about them.
const testNumbers = new Set(['79000000001', '79000000002'])

// Where the digits do not tell the two apart, as in America, it may well be a mobile.
const kinds: Readonly<Partial<Record<NonNullable<NumberType>, NumberDescription['kind']>>> = {
  MOBILE: 'mobile',
  FIXED_LINE_OR_MOBILE: 'mobile',
  FIXED_LINE: 'fixed',
}
const callableTypes = new Set<NumberType>(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP'])

// Ranges that look Russian in the plans and are not reached as such: Abkhazia (840, 940) and the satellites of GlobalTel
// (954).
const uncallablePrefix = /^7(?:840|940|954)/

// All of +7 6 and +7 7 is set aside for Kazakhstan, given out or not.
const kazakhPrefix = /^7[67]/

const unknown: NumberDescription = { country: undefined, isValid: false, kind: 'other', isCallable: false }

export function isTestNumber(digits: string): boolean {
  return testNumbers.has(digits)
}

// Digits with the country code and without a plus.
export function describeNumber(digits: string): NumberDescription {
  if (isTestNumber(digits)) return { country: 'RU', isValid: true, kind: 'mobile', isCallable: true }
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false })
  // The plans forgive a trunk prefix inside (+7 8 916 …). We do not: a second spelling would be a second hash, and limits
  // that count it apart.
  if (number?.number !== `+${digits}`) return unknown
  const country = kazakhPrefix.test(digits) ? 'KZ' : number.country
  const type = number.getType()
  if (type === undefined) return { ...unknown, country }
  const isCallable = country !== undefined && callableTypes.has(type) && !uncallablePrefix.test(digits)
  return { country, isValid: true, kind: kinds[type] ?? 'other', isCallable }
}
