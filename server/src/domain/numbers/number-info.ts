// What is known about a number beyond its country: provider and location. Unknown fields are undefined.

import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { NumberingIndex } from './numbering-index.ts'
import { kazakhProvider, providerOfPorted, providerOfRange } from './providers.ts'

export type NumberInfo = {
  // The provider the number was assigned to, and the one that serves it now: they differ if it was ported.
  readonly provider: string | undefined
  readonly currentProvider: string | undefined
  readonly isPorted: boolean
  readonly mnc: number | undefined
  // Russian numbers only.
  readonly organisation: string | undefined
  readonly region: string | undefined
  readonly city: string | undefined
}

const nothing: NumberInfo = {
  provider: undefined,
  currentProvider: undefined,
  isPorted: false,
  mnc: undefined,
  organisation: undefined,
  region: undefined,
  city: undefined,
}

export function lookupNumber(digits: string, country: string | undefined, index: NumberingIndex): NumberInfo {
  if (country === 'KZ') return kazakhInfo(digits)
  return country === 'RU' ? russianInfo(Number(digits.slice(1)), index) : nothing
}

// As getInfo returns it.
export type PhoneInfo = { readonly operator: string; readonly region?: string; readonly mnp: string }

// The number itself is not stored, so what responses will say about it is looked up when the verification starts.
export function phoneInfoOf(digits: string, country: string, index: NumberingIndex): PhoneInfo | undefined {
  const { provider, region, currentProvider } = lookupNumber(digits, country, index)
  if (provider === undefined) return undefined
  return { operator: provider, ...(region === undefined ? {} : { region }), mnp: currentProvider ?? provider }
}

// In national format, from the numbering plans, which also format unknown numbers. Russian mobiles, the most common case, all
// have one format; formatting them here is twenty times faster.
export function nationalFormat(digits: string): string {
  if (russianMobile.test(digits)) return digits.replace(russianMobile, '8 ($1) $2-$3-$4')
  return parsePhoneNumberFromString(`+${digits}`, { extract: false })?.formatNational() ?? digits
}

const russianMobile = /^7(9\d\d)(\d{3})(\d\d)(\d\d)$/

type NumberParts = { readonly countryCode: number; readonly national: number }

export function partsOf(digits: string): NumberParts {
  if (digits.startsWith('7')) return { countryCode: 7, national: Number(digits.slice(1)) }
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false })
  const countryCode = number?.countryCallingCode ?? ''
  return { countryCode: Number(countryCode), national: Number(digits.slice(countryCode.length)) }
}

function kazakhInfo(digits: string): NumberInfo {
  const provider = kazakhProvider(digits.slice(1, 4))
  if (provider === undefined) return nothing
  return { ...nothing, provider: provider.name, currentProvider: provider.name, mnc: provider.mnc }
}

function russianInfo(national: number, index: NumberingIndex): NumberInfo {
  const range = index.find(national)
  if (range === undefined || range.isReserve) return nothing
  const provider = providerOfRange(range)
  const ported = index.ported(national)
  const current = ported === undefined ? provider : providerOfPorted(ported)
  return {
    provider: provider.name,
    currentProvider: current.name,
    isPorted: ported !== undefined,
    mnc: current.mnc,
    organisation: range.organisation,
    // Numbers are ported only within a region, so the registry's region holds for ported numbers too.
    region: known(range.region),
    city: known(range.city),
  }
}

function known(text: string): string | undefined {
  return text === '' ? undefined : text
}
