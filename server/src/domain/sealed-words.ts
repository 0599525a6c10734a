// What a customer writes about a person may hold a number, so it is sealed at rest and found by a keyed digest.

import { createHmac, hkdfSync } from 'node:crypto'
import type { KeyRing } from './sealing.ts'
import type { ServiceId } from './slot.ts'

// Sixteen bytes, apart for every service: the same key of two services is two keys.
export function uniqueDigest(ring: KeyRing, serviceId: ServiceId, unique: string): Buffer {
  const key = ring.get(Math.max(...ring.keys()))
  if (!key) throw new Error('a key ring is empty')
  const subkey = Buffer.from(hkdfSync('sha256', key, '', `unique:${serviceId}`, 32))
  return createHmac('sha256', subkey).update(unique).digest().subarray(0, 16)
}
