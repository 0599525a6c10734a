// How the databases refer to a number that they do not store: the slot that keeps its limits and opt-outs, its hash under
// every key, and its opt-out digest.

import type { Slot } from '../core/slot.ts'
import type { KeyRing } from '../crypto/sealing.ts'
import { lastingDigest, type PhoneNumber, slotOfDigest, subscriberHashes } from './phone-number.ts'

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
