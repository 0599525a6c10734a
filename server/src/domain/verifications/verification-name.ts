// The name of a verification on /v2: its ID in Crockford's base 32, in which no two characters look alike. As text it sorts as the ID
// does.

import type { VerificationId } from '../core/slot.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const prefix = 'ver_'
// 53 bits.
const length = 11

export function nameOfVerification(id: VerificationId): string {
  let rest = BigInt(id)
  let text = ''
  for (let place = 0; place < length; place++) {
    text = alphabet.charAt(Number(rest % 32n)) + text
    rest /= 32n
  }
  return prefix + text
}

// Undefined: no name that we have given.
export function parseVerificationName(name: string): VerificationId | undefined {
  if (!name.startsWith(prefix) || name.length !== prefix.length + length) return undefined
  const digits = Array.from(name.slice(prefix.length), (character) => alphabet.indexOf(character))
  if (digits.includes(-1)) return undefined
  const id = Number(digits.reduce((sum, digit) => sum * 32n + BigInt(digit), 0n))
  return Number.isSafeInteger(id) ? (id as VerificationId) : undefined
}
