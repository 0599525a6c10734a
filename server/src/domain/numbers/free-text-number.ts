// What people write when they are asked for a phone number, and the number they mean. In this order:
//
//   1. Every digit of every script becomes an ASCII digit; full-width and other dressed-up forms lose their dress.
//   2. An extension is cut off: nobody can be called at it from outside.
//   3. Everything but digits is decoration, and so is a plus in front of them but that it promises a country code.
//   4. Without that plus: a leading 00 or 810 is what is dialled instead of it; eleven digits that begin with 8 or 7 and
//      ten that begin with 3, 4, 7, 8 or 9 are numbers of +7 as they are written inside it; anything else is taken for
//      a number with its country code.
//   5. The plans of the world take out what remains of national habits, such as the zero of +44 (0)20.

import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

// E.164 digits, or undefined where no number can be meant. Whether it was ever given out is not asked here.
export function readFreeText(text: string): string | undefined {
  const plain = withAsciiDigits(text.normalize('NFKC')).replace(extension, '')
  const [, plus = '', rest = ''] = /^[^\d+]*(\+?)([^]*)$/.exec(plain) ?? []
  // A second plus begins a second number, and which of them is meant nobody knows.
  if (rest.includes('+')) return undefined
  const digits = rest.replace(/\D/g, '')
  const full = plus === '' ? withCountryCode(digits) : digits
  if (!/^[1-9]\d{6,16}$/.test(full)) return undefined
  if (/^7\d{10}$/.test(full)) return full
  const number = parsePhoneNumberFromString(`+${full}`, { extract: false })?.number.slice(1)
  // All numbers of +7 have eleven digits, which the plans do not insist on.
  return number?.startsWith('7') && number.length !== 11 ? undefined : number
}

// The word must follow a digit: "ext" at the beginning of a text announces nothing.
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

// The digits of a script stand together in their order, zero first, and no run of them begins within another.
function valueOf(digit: string): number {
  const at = digit.codePointAt(0) ?? 0
  let zeroAt = at
  while (/\p{Nd}/u.test(String.fromCodePoint(zeroAt - 1))) zeroAt -= 1
  return (at - zeroAt) % 10
}
