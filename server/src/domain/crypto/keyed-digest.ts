// What a customer writes about a person may hold a number, so it is sealed at rest and found by a keyed digest.

import { createHmac, type KeyObject } from 'node:crypto'
import type { ServiceId } from '../slot.ts'
import { activeKey, deriveKey, type KeyRing, keysToLookUnder } from './sealing.ts'

// Sixteen bytes under every key of the ring, the active one first, and apart for every service: the same key of two
// services is two keys.
export function uniqueDigests(ring: KeyRing, serviceId: ServiceId, unique: string): readonly Buffer[] {
  return keysToLookUnder(ring).map((key) => digest(key, `unique:${serviceId}`, unique).subarray(0, 16))
}

// The host that webhooks go to: enough to tell one from another.
export function receiverDigest(ring: KeyRing, host: string): Buffer {
  return digest(activeKey(ring), 'receiver', host).subarray(0, 8)
}

function digest(key: KeyObject, purpose: string, word: string): Buffer {
  return createHmac('sha256', deriveKey(key, purpose)).update(word).digest()
}
