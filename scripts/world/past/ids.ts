// IDs of what is already over: numbered by second, as the database numbers what is new.

import { firstIdOfSecond, type Slot, type VerificationId } from '../../../server/src/domain/core/slot.ts'

export function createIds(): (atMs: number, slot: Slot) => VerificationId {
  // Above those that the database gives out itself in the same second.
  const used = new Map<number, number>()
  return (atMs, slot) => {
    const second = Math.floor(atMs / 1_000)
    const nth = (used.get(second) ?? 999) + 1
    used.set(second, nth)
    return (firstIdOfSecond(second) + slot * 2 ** 17 + nth) as VerificationId
  }
}
