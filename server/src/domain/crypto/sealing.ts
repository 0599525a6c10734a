// Seals text that must be read again later, but never by someone who has only the database or the stream. AES-256-GCM with a
// key derived for one purpose and ID, so that a sealed text moved to another row does not decrypt. The ring key number comes
// first; destroying a ring key erases everything sealed with it.
//
//   version (1 byte) · ring key number (2) · nonce (12) · ciphertext · tag (16)

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto'

// 32-byte keys by number, as KeyObject: passing bytes makes Node throw and catch an error internally, which makes each hash
// five times slower.
export type KeyRing = {
  // Seals and hashes new data. Every key of the ring decrypts and is used for lookups.
  readonly active: number
  readonly keys: ReadonlyMap<number, KeyObject>
  // Loads a key that was missing when the ring was read: it may have been copied since.
  readonly loadMissing?: (keyNumber: number) => KeyObject | undefined
}

export class MissingKeyError extends Error {
  override name = 'MissingKeyError'
  readonly keyNumber: number

  constructor(keyNumber: number) {
    super(`ring key ${keyNumber} is not there (any more)`)
    this.keyNumber = keyNumber
  }
}

// What a text is sealed for. `db/core/sealed-column.ts` lists the columns; a call order, a number in the vault and a trunk's password name
// their own row as well.
export type SealPurpose =
  | 'allowed-prefix'
  | 'callback'
  | 'challenge'
  | 'fraud-prefix'
  | 'invoice-buyer'
  | 'known-browser'
  | 'legal-details'
  | 'listen'
  | 'listen-reply'
  | 'notice-secret'
  | 'notice-url'
  | `order:${number}`
  | 'payment-secret'
  | 'person'
  | 'totp'
  | `trunk-password${string}`
  | 'trunk-test'
  | `vault:${string}`
  | 'webhook-secret'

export const nonceBytes = 12
const version = 1
const headerBytes = 3
const tagBytes = 16

export function seal(ring: KeyRing, purpose: SealPurpose, id: number, text: string, nonce: Uint8Array): Buffer {
  const keyNumber = ring.active
  const header = Buffer.from([version, keyNumber >> 8, keyNumber & 0xff])
  const cipher = createCipheriv('aes-256-gcm', derivedKey(ring, keyNumber, purpose, id), nonce).setAAD(header)
  return Buffer.concat([header, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

// Throws if the text was sealed for another purpose or ID, was altered, or its ring key is missing.
export function unseal(ring: KeyRing, purpose: SealPurpose, id: number, sealed: Buffer): string {
  if (sealed.length < headerBytes + nonceBytes + tagBytes || sealed[0] !== version) {
    throw new Error('not a sealed text')
  }
  const header = sealed.subarray(0, headerBytes)
  const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes)
  const key = derivedKey(ring, sealed.readUInt16BE(1), purpose, id)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(header)
    .setAuthTag(sealed.subarray(-tagBytes))
  return (
    decipher.update(sealed.subarray(headerBytes + nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  )
}

function derivedKey(ring: KeyRing, keyNumber: number, purpose: SealPurpose, id: number): KeyObject {
  const ringKey = ring.keys.get(keyNumber) ?? ring.loadMissing?.(keyNumber)
  if (!ringKey) throw new MissingKeyError(keyNumber)
  return deriveKey(ringKey, `${purpose}:${id}`)
}

// The ring key number of a sealed text.
export function sealedWith(sealed: Buffer): number {
  return sealed.readUInt16BE(1)
}

export function activeKey(ring: KeyRing): KeyObject {
  const key = ring.keys.get(ring.active)
  if (!key) throw new MissingKeyError(ring.active)
  return key
}

// Every key, the active one first: data written under an older key is found too.
export function keysToLookUnder(ring: KeyRing): readonly KeyObject[] {
  if (ring.keys.size === 1) return [activeKey(ring)]
  const others = [...ring.keys].filter(([keyNumber]) => keyNumber !== ring.active).map(([, key]) => key)
  return [activeKey(ring), ...others]
}

// Deriving a key costs more than using it, and most derived keys belong to a service that calls again. So they are cached as
// long as their ring key, or until there are too many; each takes 2 KB. Keys of a single call are not cached: they would
// only cause garbage collection.
export function deriveKey(key: KeyObject, purpose: string): KeyObject {
  const { extracted, derived } = derivations.get(key) ?? extract(key)
  const kept = derived.get(purpose)
  if (kept) return kept
  // HKDF with SHA-256 and no salt; a 32-byte key is its first block. Node's hkdfSync repeats the extract step each time and
  // takes twice as long.
  const result = createSecretKey(createHmac('sha256', extracted).update(`${purpose}\x01`).digest())
  if (ofOneCall.test(purpose)) return result
  if (derived.size >= derivedMax) derived.clear()
  derived.set(purpose, result)
  return result
}

type Derivation = { readonly extracted: KeyObject; readonly derived: Map<string, KeyObject> }

function extract(key: KeyObject): Derivation {
  const extracted = createSecretKey(createHmac('sha256', Buffer.alloc(32)).update(key.export()).digest())
  const derivation = { extracted, derived: new Map() }
  derivations.set(key, derivation)
  return derivation
}

const derivations = new WeakMap<KeyObject, Derivation>()
const derivedMax = 4_096
const ofOneCall = /^(order|vault):/
