// The secret key of a service. It is exactly 32 letters and digits, because existing clients insist on that:
//
//   rp  24 random characters (142 bits)  6 characters of checksum
//
// The checksum is the CRC-32 of the 26 characters before it, in base 62 with leading "A"s. The prefix lets a secret scanner
// find a leaked key, and the checksum distinguishes it from other text: see apiKeyPattern and SECURITY.md.
// Only the SHA-256 is stored: 142 random bits need no slow hash, and a digest cannot be used as a key.

import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { keyScopes } from '@ringproof/contract/lists/accounts.ts'
import { parseText } from '../values/text.ts'

// What a key may be used for. `start` spends money, `read` never does. getInfo returns codes to a key with `read`. `listen` takes the
// webhooks of the service, which have whole phone numbers in them.
export type KeyScope = (typeof keyScopes)[number]

// Of a key for which nothing else is chosen. Who develops with a test service listens; of a live one somebody has to want it.
export function defaultScopes({ isTest }: { readonly isTest: boolean }): readonly KeyScope[] {
  return isTest ? keyScopes : ['start', 'read']
}

// The name of the key that a service is created with.
export const firstKeyName = 'default'
// The name of the key with which the dashboard calls the API itself; it is replaced and hidden.
export const dashboardKeyName = 'dashboard'

// Every authentication compares with each key, so their number is limited.
export const keysPerServiceMax = 20

// What a secret scanner looks for.
export const apiKeyPattern = /\brp[A-Za-z0-9]{30}\b/

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const prefix = 'rp'
const randomLength = 24
const checksumLength = 6
export const apiKeyLength = prefix.length + randomLength + checksumLength
// The prefix and four of the random characters; the other twenty are 119 bits.
const shownLength = prefix.length + 4

// Random bytes that makeApiKey needs. Each byte is usable with probability 248/256; fewer than 24 usable ones of 64 is
// practically impossible.
export const apiKeyRandomBytes = 64

export function makeApiKey(randomBytes: Uint8Array): string {
  // Bytes from 248 on are discarded to avoid modulo bias.
  const fair = [...randomBytes].filter((byte) => byte < 248).slice(0, randomLength)
  if (fair.length < randomLength) throw new RangeError('not enough random bytes for a key')
  const body = prefix + fair.map((byte) => alphabet[byte % alphabet.length]).join('')
  return body + checksumOf(body)
}

// Whether the key has our form but a wrong checksum: mistyped or made up. Keys of any other form are looked up as usual.
export function hasWrongChecksum(key: string): boolean {
  if (key.length !== apiKeyLength || !key.startsWith(prefix)) return false
  return checksumOf(key.slice(0, -checksumLength)) !== key.slice(-checksumLength)
}

// What the database has of a key: enough to check it, and its first characters for its owner to recognise it.
export function storedKey(name: string, scopes: readonly KeyScope[], key: string): StoredKey {
  return { name, scopes, digest: digestApiKey(key), start: key.slice(0, shownLength) }
}

export type StoredKey = {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly digest: Buffer
  readonly start: string
}

export function digestApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

export function parseKeyName(text: string): string | undefined {
  return parseText(text, 1, 40)
}

// Undefined if empty or if a name is not a scope.
export function parseKeyScopes(text: string): readonly KeyScope[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  if (!names.every((name) => keyScopes.some((scope) => scope === name))) return undefined
  return keyScopes.filter((scope) => names.includes(scope))
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let n = 0; n < checksumLength; n++) {
    checksum = `${alphabet[rest % alphabet.length]}${checksum}`
    rest = Math.floor(rest / alphabet.length)
  }
  return checksum
}
