// Counts inbound calls that matched no request, by trunk and reason. Written once a second; while the database is down the counts
// are kept and written later.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { addUnmatchedCounts } from '../../db/trunks/unmatched-call.ts'
import type { UnmatchedReason } from '../../domain/verifications/inbound-call.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'

export type UnmatchedCounts = {
  readonly add: (trunk: string, reason: UnmatchedReason) => void
  readonly close: () => Promise<void>
}

type Deps = { readonly slots: Pick<SlotMap, 'globalDatabase'>; readonly clock: Clock; readonly log: Logger }

const writeMs = 1_000

export function createUnmatchedCounts({ slots, clock, log }: Deps): UnmatchedCounts {
  let counts = new Map<string, { trunk: string; reason: UnmatchedReason; calls: number }>()
  const closing = new AbortController()
  const add = (trunk: string, reason: UnmatchedReason, calls: number) => {
    const count = counts.get(`${trunk} ${reason}`) ?? { trunk, reason, calls: 0 }
    counts.set(`${trunk} ${reason}`, count)
    count.calls += calls
  }
  const write = async () => {
    if (counts.size === 0) return
    const written = [...counts.values()]
    counts = new Map()
    try {
      await addUnmatchedCounts(slots.globalDatabase, written)
    } catch (error) {
      for (const { trunk, reason, calls } of written) add(trunk, reason, calls)
      log.warn({ err: error }, 'unmatched call count write failed')
    }
  }
  const writing = (async () => {
    while (!closing.signal.aborted) {
      await clock.pause(writeMs, closing.signal)
      await write()
    }
  })()
  return {
    add: (trunk, reason) => add(trunk, reason, 1),
    close: async () => {
      closing.abort()
      await writing
      await write()
    },
  }
}
