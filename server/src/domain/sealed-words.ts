// What a customer writes about a person may hold a number, so it is sealed at rest and found by a keyed digest.

import { createHmac } from 'node:crypto'
import { deriveKey, type KeyRing } from './sealing.ts'
import type { ServiceId } from './slot.ts'

// Sixteen bytes, apart for every service: the same key of two services is two keys.
export function uniqueDigest(ring: KeyRing, serviceId: ServiceId, unique: string): Buffer {
  return digest(ring, `unique:${serviceId}`, unique).subarray(0, 16)
}

// The host that web-hooks go to: enough to tell one from another.
export function receiverDigest(ring: KeyRing, host: string): Buffer {
  return digest(ring, 'receiver', host).subarray(0, 8)
}

function digest(ring: KeyRing, purpose: string, word: string): Buffer {
  const key = ring.get(Math.max(...ring.keys()))
  if (!key) throw new Error('a key ring is empty')
  return createHmac('sha256', deriveKey(key, purpose)).update(word).digest()
}
