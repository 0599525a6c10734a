// A phone number has one spelling here: E.164 digits without a plus. What is kept of it is a mask and keyed hashes, under
// keys that never enter the database: one apart for every account, so that hashes do not link tenants, and one over all
// of them, because limits protect a person and not a key.

import { createHmac } from 'node:crypto'
import { activeKey, deriveKey, type KeyRing, keysToLookUnder } from '../crypto/sealing.ts'
import { type AccountId, type Slot, slotCount } from '../slot.ts'

export type PhoneNumber = string & { readonly unit: 'phone' }

// '79000000001' → '7900***0001'; a short number keeps as much at each end as leaves three hidden.
export function mask(number: PhoneNumber): string {
  const shown = Math.min(4, Math.floor((number.length - 3) / 2))
  return `${number.slice(0, shown)}***${number.slice(number.length - shown)}`
}

// Under every key of the ring, the active one first: what is new is written under it, and what was written under another
// is still found.
export function tenantHashes(ring: KeyRing, accountId: AccountId, number: PhoneNumber): readonly Buffer[] {
  return keysToLookUnder(ring).map((key) =>
    createHmac('sha256', deriveKey(key, `phone:${accountId}`))
      .update(number)
      .digest(),
  )
}

export function subscriberHashes(ring: KeyRing, number: PhoneNumber): readonly Buffer[] {
  return keysToLookUnder(ring).map((key) => createHmac('sha256', key).update(number).digest())
}

// The hash that is written.
export function ofActiveKey(hashes: readonly Buffer[]): Buffer {
  const [active] = hashes
  if (!active) throw new RangeError('a key ring is empty')
  return active
}

// Where the limits of a number are kept. They must not be in two places, so this ring never gets a second key.
export function slotOfNumber(ring: KeyRing, number: PhoneNumber): Slot {
  return slotOfDigest(lastingDigest(ring, number))
}

export function slotOfDigest(digest: Buffer): Slot {
  return (digest.readUInt32BE(0) % slotCount) as Slot
}

// Outlives every key rotation: its ring never gets a second key. By it a number has its slot, and is on the opt-out list.
export function lastingDigest(ring: KeyRing, number: PhoneNumber): Buffer {
  return createHmac('sha256', activeKey(ring)).update(number).digest()
}
