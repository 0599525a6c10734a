// Six digits from an authenticator app (RFC 6238: HMAC-SHA-1, 30 seconds). The step before and the one after count too, for
// clocks that differ; a step that was used, or one before it, never counts again.

import { createHmac } from 'node:crypto'
import { equalText } from '../crypto/keyed-digest.ts'

const stepSeconds = 30
const digits = 6
export const totpSecretBytes = 20

// The step that the code belongs to; undefined if it is wrong or was used.
export function stepOfCode(secret: Uint8Array, code: string, nowSeconds: number, lastStep: number): number | undefined {
  const current = Math.floor(nowSeconds / stepSeconds)
  return [current - 1, current, current + 1].find(
    (step) => step > lastStep && equalText(codeOfStep(secret, step), code),
  )
}

export function codeOfStep(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

// What the QR code of an app contains.
export function totpUri(issuer: string, email: string, secret: Uint8Array): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
