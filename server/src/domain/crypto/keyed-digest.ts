// A customer's text about a person may contain a number, so it is sealed at rest and looked up by a keyed digest.

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { AccountId, ServiceId } from '../core/slot.ts'
import { activeKey, deriveKey, type KeyRing, keysToLookUnder } from './sealing.ts'

// Sixteen bytes under every key of the ring, the active one first. The service ID is included: the same text of two services
// gives two digests.
export function uniqueDigests(ring: KeyRing, serviceId: ServiceId, unique: string): readonly Buffer[] {
  return keysToLookUnder(ring).map((key) => digest(key, `unique:${serviceId}`, unique).subarray(0, 16))
}

// The idempotency key of a verification of /v2; never that of an API client's `unique`.
export function verifyDigests(ring: KeyRing, serviceId: ServiceId, key: string): readonly Buffer[] {
  return keysToLookUnder(ring).map((one) => digest(one, `verify:${serviceId}`, key).subarray(0, 16))
}

// Sixteen bytes of the idempotency key of a check and four of the code with it: the same key with another code is found out. A
// check without a key gets random ones.
export function checkKeyOf(ring: KeyRing, serviceId: ServiceId, key: string, code: string): Buffer {
  const [of, withCode] = [key, `${key} ${code}`].map((text) => digest(activeKey(ring), `check:${serviceId}`, text))
  if (!of || !withCode) throw new RangeError('no digest')
  return Buffer.concat([of.subarray(0, 16), withCode.subarray(0, 4)])
}

// The idempotency key of one number in a person's number check; never that of an API client's `unique`.
export function lookupDigests(
  ring: KeyRing,
  serviceId: ServiceId,
  submission: string,
  digits: string,
): readonly Buffer[] {
  const text = `${submission} ${digits}`
  return keysToLookUnder(ring).map((key) => digest(key, `lookup:${serviceId}`, text).subarray(0, 16))
}

// Eight bytes under every key of the ring. An empty text says nothing and has none.
export function clientDigests(ring: KeyRing, accountId: AccountId, client: string): readonly Buffer[] {
  if (client === '') return []
  return keysToLookUnder(ring).map((key) => digest(key, `client:${accountId}`, client).subarray(0, 8))
}

// Identifies a webhook's host without storing its name.
export function receiverDigest(ring: KeyRing, host: string): Buffer {
  return digest(activeKey(ring), 'receiver', host).subarray(0, 8)
}

function digest(key: KeyObject, purpose: string, text: string): Buffer {
  return createHmac('sha256', deriveKey(key, purpose)).update(text).digest()
}

// In constant time. Texts of equal length may have different numbers of bytes, and timingSafeEqual would throw.
export function equalText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
