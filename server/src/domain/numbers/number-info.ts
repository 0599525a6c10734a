// What is known of a number beyond its country: who serves it, and where. Only what is known stands in it.

import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { NumberingIndex } from './numbering-index.ts'
import { kazakhProvider, providerOfPorted, providerOfRange } from './providers.ts'

export type NumberInfo = {
  // To whom the number was given out, and who serves it now: another one where it was ported.
  readonly provider: string | undefined
  readonly currentProvider: string | undefined
  readonly isPorted: boolean
  readonly mnc: number | undefined
  // Of Russian numbers.
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

// As getInfo tells it.
export type PhoneInfo = { readonly operator: string; readonly region?: string; readonly mnp: string }

// The number itself is not kept, so what answers will tell of it is found out when it is asked to be verified.
export function phoneInfoOf(digits: string, country: string, index: NumberingIndex): PhoneInfo | undefined {
  const { provider, region, currentProvider } = lookupNumber(digits, country, index)
  if (provider === undefined) return undefined
  return { operator: provider, ...(region === undefined ? {} : { region }), mnp: currentProvider ?? provider }
}

// As people of its country write it; the plans know how, also for numbers that they do not know. Russian mobiles, which
// are most of what is asked, are all written alike, and the plans take twenty times as long to say so.
export function nationalFormat(digits: string): string {
  if (russianMobile.test(digits)) return digits.replace(russianMobile, '8 ($1) $2-$3-$4')
  return parsePhoneNumberFromString(`+${digits}`, { extract: false })?.formatNational() ?? digits
}

const russianMobile = /^7(9\d\d)(\d{3})(\d\d)(\d\d)$/

export type NumberParts = { readonly countryCode: number; readonly national: number }

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
    // Numbers are ported within one region only, so the registry's is right for them too.
    region: known(range.region),
    city: known(range.city),
  }
}

function known(text: string): string | undefined {
  return text === '' ? undefined : text
}
