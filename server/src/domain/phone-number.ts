// A phone number has one spelling here: E.164 digits without a plus. What is kept of it is a mask and keyed hashes, under
// keys that never enter the database: one apart for every account, so that hashes do not link tenants, and one over all
// of them, because limits protect a person and not a key.

import { createHmac, type KeyObject } from 'node:crypto'
import { deriveKey, type KeyRing } from './sealing.ts'
import { type AccountId, type Slot, slotCount } from './slot.ts'

export type PhoneNumber = string & { readonly unit: 'phone' }

// '79000000001' → '7900***0001'; a short number keeps as much at each end as leaves three hidden.
export function mask(number: PhoneNumber): string {
  const shown = Math.min(4, Math.floor((number.length - 3) / 2))
  return `${number.slice(0, shown)}***${number.slice(number.length - shown)}`
}

export function tenantHash(ring: KeyRing, accountId: AccountId, number: PhoneNumber): Buffer {
  return createHmac('sha256', deriveKey(newestKey(ring), `phone:${accountId}`))
    .update(number)
    .digest()
}

export function subscriberHash(ring: KeyRing, number: PhoneNumber): Buffer {
  return createHmac('sha256', newestKey(ring)).update(number).digest()
}

// Under every key of the ring, the newest first: while keys change, what was written under an older one is still found.
export function subscriberHashes(ring: KeyRing, number: PhoneNumber): readonly Buffer[] {
  const keyNumbers = [...ring.keys()].toSorted((a, b) => b - a)
  return keyNumbers.map((keyNumber) => createHmac('sha256', keyOf(ring, keyNumber)).update(number).digest())
}

// Where the limits of a number are kept. They must not be in two places, so the first key counts for ever, also in a ring
// that somebody gave a second one.
export function slotOfNumber(ring: KeyRing, number: PhoneNumber): Slot {
  const digest = createHmac('sha256', keyOf(ring, Math.min(...ring.keys())))
    .update(number)
    .digest()
  return (digest.readUInt32BE(0) % slotCount) as Slot
}

function newestKey(ring: KeyRing): KeyObject {
  return keyOf(ring, Math.max(...ring.keys()))
}

function keyOf(ring: KeyRing, keyNumber: number): KeyObject {
  const key = ring.get(keyNumber)
  if (!key) throw new Error('a key ring is empty')
  return key
}
