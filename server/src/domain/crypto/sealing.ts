// Sealing: what must be read again later, but never by someone who has only the database or the stream. AES-256-GCM
// under a key derived for one purpose and one id, so that a sealed text moved to another row does not open. The number
// of the ring key stands in front; destroying a ring key erases everything that was sealed with it.
//
//   version (1 byte) · ring key number (2) · nonce (12) · ciphertext · tag (16)

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto'

// Keys of 32 bytes by their number. Node takes bytes for a key as well, but throws and catches an error to find out that
// they are none: five times as long for a hash, at every request.
export type KeyRing = {
  // The key that seals and hashes what is new. Every key opens, and is looked under.
  readonly active: number
  readonly keys: ReadonlyMap<number, KeyObject>
  // Looks for a key that was not there when the ring was read: it may have been distributed since.
  readonly lookAgain?: (keyNumber: number) => KeyObject | undefined
}

export class MissingKeyError extends Error {
  override name = 'MissingKeyError'
  readonly keyNumber: number

  constructor(keyNumber: number) {
    super(`ring key ${keyNumber} is not there (any more)`)
    this.keyNumber = keyNumber
  }
}

export const nonceBytes = 12
const version = 1
const headerBytes = 3
const tagBytes = 16

export function seal(ring: KeyRing, purpose: string, id: number, text: string, nonce: Uint8Array): Buffer {
  const keyNumber = ring.active
  const header = Buffer.from([version, keyNumber >> 8, keyNumber & 0xff])
  const cipher = createCipheriv('aes-256-gcm', derivedKey(ring, keyNumber, purpose, id), nonce).setAAD(header)
  return Buffer.concat([header, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

// Throws when the text was sealed for another purpose or id, was changed, or its ring key is gone.
export function unseal(ring: KeyRing, purpose: string, id: number, sealed: Buffer): string {
  if (sealed.length < headerBytes + nonceBytes + tagBytes || sealed[0] !== version) {
    throw new Error('this is not a sealed text')
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

function derivedKey(ring: KeyRing, keyNumber: number, purpose: string, id: number): KeyObject {
  const ringKey = ring.keys.get(keyNumber) ?? ring.lookAgain?.(keyNumber)
  if (!ringKey) throw new MissingKeyError(keyNumber)
  return deriveKey(ringKey, `${purpose}:${id}`)
}

// The number of the ring key that a text was sealed with.
export function sealedWith(sealed: Buffer): number {
  return sealed.readUInt16BE(1)
}

export function activeKey(ring: KeyRing): KeyObject {
  const key = ring.keys.get(ring.active)
  if (!key) throw new MissingKeyError(ring.active)
  return key
}

// Every key, the active one first: what was written under another is found as well.
export function keysToLookUnder(ring: KeyRing): readonly KeyObject[] {
  if (ring.keys.size === 1) return [activeKey(ring)]
  const others = [...ring.keys].filter(([keyNumber]) => keyNumber !== ring.active).map(([, key]) => key)
  return [activeKey(ring), ...others]
}

// A derivation costs more than whatever the key is then used for, and most keys belong to a service that comes again: so
// they are kept for as long as the key they come from, of which there are few, or until there are too many. Each takes two
// kilobytes. Those of a single call are not kept: they would be what the collector of garbage is busy with.
export function deriveKey(key: KeyObject, purpose: string): KeyObject {
  const { extracted, derived } = derivations.get(key) ?? extract(key)
  const kept = derived.get(purpose)
  if (kept) return kept
  // HKDF with SHA-256 and no salt, of which a key of 32 bytes is the first block. Node's own extracts anew each time, and
  // takes twice as long.
  const made = createSecretKey(createHmac('sha256', extracted).update(`${purpose}\x01`).digest())
  if (ofOneCall.test(purpose)) return made
  if (derived.size >= derivedMax) derived.clear()
  derived.set(purpose, made)
  return made
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
