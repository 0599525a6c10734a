// Counts confirmed and unconfirmed inbound UDP calls per trunk. Written once a second; while the database is down the counts
// are kept and written later.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { addReturnPathCounts } from '../../db/trunks/trunk-state.ts'
import { confirmedToEnforce } from '../../domain/trunks/trunk.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'

export type ReturnPathCounts = {
  readonly add: (trunk: string, isConfirmed: boolean) => void
  readonly close: () => Promise<void>
}

type Deps = {
  readonly slots: Pick<SlotMap, 'globalDatabase'>
  readonly clock: Clock
  readonly events: Pick<Events, 'returnPathChecked'>
  readonly log: Logger
}

const writeMs = 1_000

export function createReturnPathCounts({ slots, clock, events, log }: Deps): ReturnPathCounts {
  let counts = new Map<string, { trunk: string; confirmed: number; unconfirmed: number }>()
  const closing = new AbortController()
  const add = (trunk: string, confirmed: number, unconfirmed: number) => {
    const count = counts.get(trunk) ?? { trunk, confirmed: 0, unconfirmed: 0 }
    counts.set(trunk, count)
    count.confirmed += confirmed
    count.unconfirmed += unconfirmed
  }
  const write = async () => {
    if (counts.size === 0) return
    const written = [...counts.values()]
    counts = new Map()
    try {
      for (const trunk of await addReturnPathCounts(slots.globalDatabase, written, confirmedToEnforce)) {
        log.info({ trunk, confirmed: confirmedToEnforce }, 'return path enforced')
      }
    } catch (error) {
      for (const { trunk, confirmed, unconfirmed } of written) add(trunk, confirmed, unconfirmed)
      log.warn({ err: error }, 'return path count write failed')
    }
  }
  const writing = (async () => {
    while (!closing.signal.aborted) {
      await clock.pause(writeMs, closing.signal)
      await write()
    }
  })()
  return {
    add: (trunk, isConfirmed) => {
      events.returnPathChecked(trunk, isConfirmed)
      add(trunk, isConfirmed ? 1 : 0, isConfirmed ? 0 : 1)
    },
    close: async () => {
      closing.abort()
      await writing
      await write()
    },
  }
}
