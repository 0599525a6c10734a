// Finds out which slots move to another database: once a second, and ten times a second while one does.

import { nameOf } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { createClock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'

// Real time, not scaled: `ringproof slots move` waits for it.
const clock = createClock(1)

const restMs = 1_000
const movingMs = 100

export function startSlotWatch(maps: readonly SlotMap[], log?: Logger): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const watching = maps.map((slots, nth) => watch(slots, nth === 0 ? log : undefined, closing.signal))
  return {
    close: async () => {
      closing.abort()
      await Promise.all(watching)
    },
  }
}

// Each role has its own map; one of them logs.
async function watch(slots: SlotMap, log: Logger | undefined, closing: AbortSignal): Promise<void> {
  const moved = slots.movedSlots()
  if (moved.length > 0) log?.info({ slots: moved.join(' ') }, 'slots not as configured')
  let hasFailed = false
  while (!closing.aborted) {
    try {
      for (const slot of await slots.refresh())
        log?.info({ slot, database: nameOf(slots.databaseOf(slot)) }, 'slot moved')
      hasFailed = false
      // From one database nothing moves: another one is configured first.
      if (slots.databases.length === 1) return
    } catch (error) {
      if (!hasFailed) log?.warn({ err: error }, 'slot map read failed')
      hasFailed = true
    }
    await clock.sleep(slots.isMoving() ? movingMs : restMs, closing)
  }
}
