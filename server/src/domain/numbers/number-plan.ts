// What a number is, by the numbering plans of the world: its country, whether it was ever given out, and whether we call
// it. We call what is named below and nothing else: fixed, mobile and internet lines of a country. A call to anything else
// costs more than it proves, and some of those numbers are made to be called for their owner's profit.

import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { NumberingIndex } from './numbering-index.ts'

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

// Abkhazia and South Ossetia have codes within Russia's; calls there go by other roads, at other prices.
const georgianKinds: Readonly<Record<string, NumberDescription['kind']>> = { 840: 'fixed', 850: 'fixed', 940: 'mobile' }

// Satellites and machines, among the codes of mobiles.
const specialCodes = new Set(['954', '971'])

// All of +7 0, +7 6 and +7 7 is set aside for Kazakhstan, given out or not.
const kazakhPrefix = /^7[067]/

const unknown: NumberDescription = { country: undefined, isValid: false, kind: 'other', isCallable: false }

export function isTestNumber(digits: string): boolean {
  return testNumbers.has(digits)
}

// Digits with the country code and without a plus. Of Russian numbers the operator's registry is the first authority,
// where it was imported; of everything else the plans are.
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

function describeRussian(code: string, national: number, index: NumberingIndex): NumberDescription {
  const range = index.find(national)
  if (range === undefined || range.isReserve) {
    // Kazakhstan has its own free numbers within a code that both countries use.
    return { ...unknown, country: 'RU', ...(String(national).startsWith('800080') ? kazakhFree : {}) }
  }
  const kind = code.startsWith('80') || specialCodes.has(code) ? 'other' : code.startsWith('9') ? 'mobile' : 'fixed'
  return { country: 'RU', isValid: true, kind, isCallable: kind !== 'other' }
}

const kazakhFree = { country: 'KZ', isValid: true }

function describeByPlans(digits: string): NumberDescription {
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false })
  // The plans forgive a trunk prefix inside (+7 8 916 …). We do not: a second spelling would be a second hash, and limits
  // that count it apart.
  if (number?.number !== `+${digits}`) return unknown
  const country = kazakhPrefix.test(digits) ? 'KZ' : number.country
  const type = number.getType()
  if (type === undefined) return { ...unknown, country }
  const isSpecial = digits.startsWith('7') && specialCodes.has(digits.slice(1, 4))
  const isCallable = country !== undefined && callableTypes.has(type) && !isSpecial
  return { country, isValid: true, kind: isSpecial ? 'other' : (kinds[type] ?? 'other'), isCallable }
}
