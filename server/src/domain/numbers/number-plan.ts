// Describes a number by the world's numbering plans: its country, whether it is assigned, and whether we call it. We call
// only the types listed below: fixed, mobile and VoIP numbers of a country. Other numbers cost too much, and some
// (premium rate) exist to make money from calls.

import type { numberKinds } from '@ringproof/contract/lists/calls.ts'
import {
  getCountryCallingCode,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import type { NumberingIndex } from './numbering-index.ts'
import { isTestNumber } from './test-number.ts'

export type NumberDescription = {
  // ISO 3166; undefined for numbers of no country, such as satellite phones, and for text that is not a number.
  readonly country: string | undefined
  readonly isValid: boolean
  readonly kind: (typeof numberKinds)[number]
  readonly isCallable: boolean
}

// Where fixed and mobile numbers look alike, as in North America, it may well be a mobile.
const kinds: Readonly<Partial<Record<NonNullable<NumberType>, NumberDescription['kind']>>> = {
  MOBILE: 'mobile',
  FIXED_LINE_OR_MOBILE: 'mobile',
  FIXED_LINE: 'fixed',
}
const callableTypes = new Set<NumberType>(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP'])

// Abkhazia and South Ossetia have codes within +7; calls there use other routes at other prices.
const georgianKinds: Readonly<Record<string, NumberDescription['kind']>> = { 840: 'fixed', 850: 'fixed', 940: 'mobile' }

// Satellite and machine-to-machine codes within the mobile range.
const specialCodes = new Set(['954', '971'])

// All of +7 0, +7 6 and +7 7 is reserved for Kazakhstan, assigned or not.
const kazakhPrefix = /^7[067]/

const unknown: NumberDescription = { country: undefined, isValid: false, kind: 'other', isCallable: false }

// Takes digits with the country code, without a plus. For Russian numbers the imported registry decides; for all others the
// numbering plans.
export function describeNumber(digits: string, index: NumberingIndex): NumberDescription {
  if (isTestNumber(digits)) return { country: 'RU', isValid: true, kind: 'mobile', isCallable: true }
  if (/^7\d{10}$/.test(digits)) {
    const code = digits.slice(1, 4)
    const georgianKind = georgianKinds[code]
    if (georgianKind) return { country: 'GE', isValid: true, kind: georgianKind, isCallable: false }
    const national = Number(digits.slice(1))
    if (index.covers(national)) return describeRussian(code, national, index)
  }
  return describeByPlans(digits)
}

// '+7'. Undefined for a country without numbers.
export function dialCodeOf(country: string): string | undefined {
  return isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : undefined
}

function describeRussian(code: string, national: number, index: NumberingIndex): NumberDescription {
  const range = index.find(national)
  if (range === undefined || range.isReserve) {
    // Kazakhstan has toll-free numbers within a code that both countries use.
    return { ...unknown, country: 'RU', ...(String(national).startsWith('800080') ? kazakhFree : {}) }
  }
  const kind = code.startsWith('80') || specialCodes.has(code) ? 'other' : code.startsWith('9') ? 'mobile' : 'fixed'
  return { country: 'RU', isValid: true, kind, isCallable: kind !== 'other' }
}

const kazakhFree = { country: 'KZ', isValid: true }

function describeByPlans(digits: string): NumberDescription {
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false })
  // The plans accept a trunk prefix inside (+7 8 916 …). We do not: a second spelling would give a second hash, and its calls
  // would be counted separately.
  if (number?.number !== `+${digits}`) return unknown
  const country = kazakhPrefix.test(digits) ? 'KZ' : number.country
  const type = number.getType()
  if (type === undefined) return { ...unknown, country }
  const isSpecial = digits.startsWith('7') && specialCodes.has(digits.slice(1, 4))
  const isCallable = country !== undefined && callableTypes.has(type) && !isSpecial
  return { country, isValid: true, kind: isSpecial ? 'other' : (kinds[type] ?? 'other'), isCallable }
}
