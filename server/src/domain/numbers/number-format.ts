// The number formats of carriers, for numbers sent and received:
//
//   e164           +79071234567   international
//   e164-no-plus   79071234567    the same without a plus
//   ru-8           89071234567    as dialled in Russia; other countries 810 and the digits
//   ru-10          9071234567     +7 numbers without the country code; other countries the digits
//
// Parsing is strict: a number in another format is refused. The caller must never be guessed.

import type { numberFormats } from '@ringproof/contract/lists/trunks.ts'
import type { PhoneNumber } from './phone-number.ts'

export type NumberFormat = (typeof numberFormats)[number]

export function writeNumber(format: NumberFormat, number: PhoneNumber): string {
  const isOfSeven = number.length === 11 && number.startsWith('7')
  switch (format) {
    case 'e164':
      return `+${number}`
    case 'e164-no-plus':
      return number
    case 'ru-8':
      return isOfSeven ? `8${number.slice(1)}` : `810${number}`
    case 'ru-10':
      return isOfSeven ? number.slice(1) : number
  }
}

export function readNumber(format: NumberFormat, text: string): PhoneNumber | undefined {
  const digits = toDigits(format, text)
  return digits !== undefined && /^[1-9]\d{6,14}$/.test(digits) ? (digits as PhoneNumber) : undefined
}

function toDigits(format: NumberFormat, text: string): string | undefined {
  switch (format) {
    case 'e164':
      return /^\+(\d+)$/.exec(text)?.[1]
    case 'e164-no-plus':
      return text
    case 'ru-8':
      return /^810\d/.test(text) ? text.slice(3) : /^8\d{10}$/.test(text) ? `7${text.slice(1)}` : undefined
    case 'ru-10':
      return /^\d{10}$/.test(text) ? `7${text}` : /^\d{11,15}$/.test(text) ? text : undefined
  }
}
