// The secret key of a service: 32 letters and digits, which is what existing clients insist on. We keep its SHA-256
// alone: 190 random bits need no slow hash, and nobody can call with a digest.

import { hash } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const apiKeyLength = 32

// Bytes of chance that makeApiKey asks for. Each is used with probability 248/256; that fewer than 32 of 64 serve will
// not happen in the life of the universe.
export const apiKeyChanceBytes = 64

export function makeApiKey(chance: Uint8Array): string {
  // Bytes from 248 on are thrown away, or the first letters would come a little more often than the rest.
  const fair = [...chance].filter((byte) => byte < 248).slice(0, apiKeyLength)
  if (fair.length < apiKeyLength) throw new RangeError('too little chance for a key')
  return fair.map((byte) => alphabet[byte % alphabet.length]).join('')
}

export function digestApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}
