// Reads a phone number as people write it. In this order:
//
//   1. Digits of every script become ASCII digits; full-width and similar forms are normalised.
//   2. An extension is cut off: it cannot be called from outside.
//   3. Everything except digits is ignored; a leading plus means that a country code follows.
//   4. Without a plus: a leading 00 or 810 replaces it; eleven digits that begin with 8 or 7, and ten that begin with 3, 4,
//      7, 8 or 9, are national numbers of +7; anything else is taken as a number with its country code.
//   5. The numbering plans remove remaining national habits, such as the zero of +44 (0)20.

import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PhoneNumber } from './phone-number.ts'

// E.164 digits, or undefined if the text cannot be a number. Whether the number is assigned is not checked here.
export function readFreeText(text: string): string | undefined {
  const plain = withAsciiDigits(text.normalize('NFKC')).replace(extension, '')
  const [, plus = '', rest = ''] = /^[^\d+]*(\+?)([^]*)$/.exec(plain) ?? []
  // A second plus starts a second number, so the text is ambiguous.
  if (rest.includes('+')) return undefined
  const digits = rest.replace(/\D/g, '')
  const full = plus === '' ? withCountryCode(digits) : digits
  if (!/^[1-9]\d{6,16}$/.test(full)) return undefined
  if (/^7\d{10}$/.test(full)) return full
  const number = parsePhoneNumberFromString(`+${full}`, { extract: false })?.number.slice(1)
  // All +7 numbers have eleven digits; the numbering plans do not enforce it.
  return number?.startsWith('7') && number.length !== 11 ? undefined : number
}

// The word must follow a digit: "ext" at the start of a text does not introduce an extension.
const extension = /(?<=\d[^\d+]{0,8})(?:доб|вн|ext|x|х|#)[^]*$/iu

function withCountryCode(digits: string): string {
  if (digits.startsWith('00')) return digits.slice(2)
  if (digits.startsWith('810')) return digits.slice(3)
  if (/^8\d{10}$/.test(digits)) return `7${digits.slice(1)}`
  return /^[34789]\d{9}$/.test(digits) ? `7${digits}` : digits
}

function withAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(valueOf(digit)))
}

// In Unicode the digits of a script are contiguous, zero first, and runs do not overlap.
function valueOf(digit: string): number {
  const at = digit.codePointAt(0) ?? 0
  let zeroAt = at
  while (/\p{Nd}/u.test(String.fromCodePoint(zeroAt - 1))) zeroAt -= 1
  return (at - zeroAt) % 10
}

export type ListedNumber = {
  readonly text: string
  // Undefined if the text cannot be a number.
  readonly number: PhoneNumber | undefined
  // The same number stands earlier in the list, perhaps in another spelling.
  readonly isDuplicate: boolean
}

export function readNumberList(texts: readonly string[]): readonly ListedNumber[] {
  const seen = new Set<string>()
  return texts.map((text) => {
    const number = readFreeText(text) as PhoneNumber | undefined
    const isDuplicate = number !== undefined && seen.has(number)
    if (number !== undefined) seen.add(number)
    return { text, number, isDuplicate }
  })
}
