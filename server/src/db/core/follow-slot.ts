// Repeats work of a slot that was frozen or has moved to another database meanwhile. A freeze takes less than a second, so a
// request waits for its end instead of failing. While no slot moves, this costs nothing.
//
// A batch fails as a whole when one of its items belongs to a frozen slot. The others are repeated at once, and those of the slot
// after a moment: so they do not meet again.

import type { Slot } from '../../domain/core/slot.ts'
import { createClock } from '../../process/clock.ts'
import { movingSlotOf } from './database.ts'
import type { SlotMap } from './slot-map.ts'

// Real time, not scaled: these are database timeouts.
const clock = createClock(1)
const never = new AbortController().signal

const followMs = 2_000
const pauseMs = 20

export async function followSlot<T>(
  slots: SlotMap,
  own: readonly Slot[],
  work: () => Promise<T>,
  // Whether the work may be repeated in another database. A call that counts its number where its account is may not: the number
  // may live elsewhere now.
  mayMove = true,
): Promise<T> {
  if (!slots.isMoving()) return work()
  const startedMs = clock.monotonicMs()
  const homes = own.map(slots.databaseOf)
  const hasMoved = () => own.some((slot, nth) => slots.databaseOf(slot) !== homes[nth])
  for (;;) {
    try {
      const result = await work()
      // Rows that are hidden change nothing and return nothing.
      if (!isNothing(result) || !mayMove || !own.some(slots.isMoving)) return result
      await slots.refresh()
      if (!hasMoved()) return result
      homes.splice(0, homes.length, ...own.map(slots.databaseOf))
    } catch (error) {
      const slot = movingSlotOf(error)
      if (slot === undefined || clock.monotonicMs() - startedMs > followMs) throw error
      if (!own.includes(slot)) continue
      await clock.sleep(pauseMs, never)
      await slots.refresh().catch(() => undefined)
      if (!mayMove && hasMoved()) throw error
    }
  }
}

function isNothing(result: unknown): boolean {
  return result === undefined || result === false
}
