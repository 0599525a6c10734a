// Tokens in links, session IDs and recovery codes. The database has only their digests: they are long and random, so a plain
// SHA-256 is enough.

import { hash } from 'node:crypto'

export const tokenBytes = 32
const recoveryCodeCount = 10
// 12 characters of 5 bits each.
export const recoveryCodesBytes = recoveryCodeCount * 12

export function makeToken(randomBytes: Uint8Array): string {
  return Buffer.from(randomBytes).toString('base64url')
}

export function digestToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

// Ten codes such as k7qd-2mxv-9rzt; no letter looks like another or like a digit.
export function makeRecoveryCodes(randomBytes: Uint8Array): readonly string[] {
  const letters = [...randomBytes].map((byte) => alphabet[byte % alphabet.length]).join('')
  return Array.from({ length: recoveryCodeCount }, (_, index) =>
    (letters.slice(index * 12, index * 12 + 12).match(/.{4}/g) ?? []).join('-'),
  )
}

// Spaces, dashes and capitals do not matter.
export function digestRecoveryCode(code: string): Buffer {
  return digestToken(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

export function makeSixDigits(randomBytes: Uint8Array): string {
  return String(Buffer.from(randomBytes).readUInt32BE(0) % 1_000_000).padStart(6, '0')
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
