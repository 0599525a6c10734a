// A phone number has one spelling here: E.164 digits without a plus. Stored are a mask and keyed hashes, with keys that never
// enter the database: a hash per account, so that hashes do not link tenants, and a hash across accounts, because limits
// protect a person.

import { createHmac } from 'node:crypto'
import { type AccountId, type Slot, slotCount } from '../core/slot.ts'
import { activeKey, deriveKey, type KeyRing, keysToLookUnder } from '../crypto/sealing.ts'

export type PhoneNumber = string & { readonly unit: 'phone' }

// As a request writes it, with or without a plus. Undefined: not a number.
export function readPhoneNumber(text: string): PhoneNumber | undefined {
  const digits = text.replace(/^\+/, '')
  return /^[1-9]\d{6,14}$/.test(digits) ? (digits as PhoneNumber) : undefined
}

// '79000000001' → '7900***0001'; a shorter number shows fewer digits, so that three stay hidden.
export function mask(number: PhoneNumber): string {
  const shown = Math.min(4, Math.floor((number.length - 3) / 2))
  return `${number.slice(0, shown)}***${number.slice(number.length - shown)}`
}

// Under every key of the ring, the active one first: new data is written under it, and data under older keys is still found.
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

// The hash to store.
export function ofActiveKey(hashes: readonly Buffer[]): Buffer {
  const [active] = hashes
  if (!active) throw new RangeError('key ring is empty')
  return active
}

// The slot that keeps the limits of a number. They must not be in two places, so this ring never gets a second key.
export function slotOfNumber(ring: KeyRing, number: PhoneNumber): Slot {
  return slotOfDigest(lastingDigest(ring, number))
}

export function slotOfDigest(digest: Buffer): Slot {
  return (digest.readUInt32BE(0) % slotCount) as Slot
}

// Survives key rotations: its ring never gets a second key. It determines a number's slot and its opt-out entry.
export function lastingDigest(ring: KeyRing, number: PhoneNumber): Buffer {
  return createHmac('sha256', activeKey(ring)).update(number).digest()
}

// A Russian number as people write it: ten digits, with or without +7, 7 or 8.
export function parseNational(text: string): number | undefined {
  const [, national] = /^[78]?(\d{10})$/.exec(text.replaceAll(/[\s()+-]/g, '')) ?? []
  return national === undefined ? undefined : Number(national)
}

// How the databases refer to a number that they do not store: the slot that keeps its limits and opt-outs, its hash under
// every key, and its opt-out digest.

export type NumberRef = {
  readonly slot: Slot
  // The hash of the active key comes first.
  readonly hashes: readonly Buffer[]
  readonly optOutDigest: Buffer
}

export type NumberRefKeys = { readonly phoneSubscriber: KeyRing; readonly phoneSlot: KeyRing }

export function numberRefOf(keys: NumberRefKeys, phone: PhoneNumber): NumberRef {
  const optOutDigest = lastingDigest(keys.phoneSlot, phone)
  return { slot: slotOfDigest(optOutDigest), hashes: subscriberHashes(keys.phoneSubscriber, phone), optOutDigest }
}
