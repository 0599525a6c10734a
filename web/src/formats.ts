// Numbers, money and times as the language and the account's time zone write them.

import type { Language } from '@ringproof/contract/lists/people.ts'
import { createMoneyFormat, locales } from '@ringproof/contract/money-format.ts'
import { createContext, use } from 'react'
import { dayMs, hourMs, minuteMs } from './time.ts'
import { useLanguage } from './words/words.ts'

export const TimeZoneContext = createContext('UTC')
// Of the installation; until it is known, what Intl writes without one.
export const CurrencyContext = createContext('XXX')

type Formats = ReturnType<typeof createFormats>

export function useFormats(): Formats {
  return formatsOf(useLanguage().language, use(TimeZoneContext), use(CurrencyContext))
}

const created = new Map<string, Formats>()

function formatsOf(language: Language, timeZone: string, currency: string): Formats {
  const key = `${language} ${timeZone} ${currency}`
  const formats = created.get(key) ?? createFormats(language, timeZone, currency)
  created.set(key, formats)
  return formats
}

function createFormats(language: Language, timeZone: string, currency: string) {
  const locale = locales[language]
  const fixed = (digits: number) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const time = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone })
  const whole = fixed(0)
  const tenths = fixed(1)
  const hundredths = fixed(2)
  const clock = time({ hour: '2-digit', minute: '2-digit' })
  const exactClock = time({ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 })
  const day = time({ day: 'numeric', month: 'long' })
  const shortDay = time({ day: 'numeric', month: 'short' })
  const month = time({ month: 'long', year: 'numeric' })
  const fullDay = time({ day: 'numeric', month: 'long', year: 'numeric' })
  const dayClock = time({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  const wholeClock = time({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const wholePercent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  return {
    number: (value: number) => whole.format(value),
    seconds: (value: number) => tenths.format(value),
    hundredths: (value: number) => hundredths.format(value),
    ...createMoneyFormat(language, currency),
    currency,
    clock: (ms: number) => clock.format(ms),
    // Today's by the clock, earlier ones with their day.
    moment: (ms: number) => (day.format(ms) === day.format(Date.now()) ? wholeClock.format(ms) : dayClock.format(ms)),
    percent: (share: number) => percent.format(share),
    wholePercent: (share: number) => wholePercent.format(share),
    // What is no code of a country stays as it is.
    country: (code: string) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
    exactClock: (ms: number) => exactClock.format(ms),
    day: (ms: number) => day.format(ms),
    shortDay: (ms: number) => shortDay.format(ms),
    month: (ms: number) => month.format(ms),
    fullDay: (ms: number) => fullDay.format(ms),
    dayClock: (ms: number) => dayClock.format(ms),
    ago: (ms: number, nowMs = Date.now()) => relative.format(...span(Math.min(0, ms - nowMs))),
    until: (ms: number, nowMs = Date.now()) => relative.format(...span(Math.max(0, ms - nowMs))),
  }
}

const spans: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
]

function span(ms: number): [number, Intl.RelativeTimeFormatUnit] {
  const [unit, unitMs] = spans.find(([, each]) => Math.abs(ms) >= each) ?? ['second', 1000]
  return [Math.trunc(ms / unitMs), unit]
}

// Minutes and seconds since a moment: 1:12.
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const tail = `${hours > 0 ? String(minutes).padStart(2, '0') : minutes}:${String(seconds % 60).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${tail}` : tail
}
