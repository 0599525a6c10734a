// Two keyed digests of a number that outlive every key rotation, both under the key that chooses the slot of a number: it
// never changes. The number itself is not kept, so what is written under a rotated key would be lost with it.
//
//   prefix    the number without its last four digits, as 48 bits: a range of ten thousand subscribers. Together with the
//             mask of a verification a prefix in clear would give the number away.
//   opt-out   the whole number.

import { createHmac, type KeyObject } from 'node:crypto'
import type { PhoneNumber } from './phone-number.ts'
import { deriveKey, type KeyRing } from './sealing.ts'

export type NumberPrefix = number & { readonly unit: 'prefix' }

export function prefixText(number: PhoneNumber): string {
  return number.slice(0, -4)
}

export function numberPrefix(slotRing: KeyRing, number: PhoneNumber): NumberPrefix {
  const digest = createHmac('sha256', deriveKey(slotKey(slotRing), 'prefix'))
    .update(prefixText(number))
    .digest()
  return digest.readUIntBE(0, 6) as NumberPrefix
}

export function optOutDigest(slotRing: KeyRing, number: PhoneNumber): Buffer {
  return createHmac('sha256', deriveKey(slotKey(slotRing), 'opt-out'))
    .update(number)
    .digest()
}

function slotKey(ring: KeyRing): KeyObject {
  const key = ring.keys.get(ring.active)
  if (!key) throw new Error('a key ring is empty')
  return key
}
