// Chains new entries of the audit log, in every database, and writes the head of each chain to the log once a minute. Anyone who changes the
// database afterwards cannot change the log that was collected from this process. Keepers may overlap: the database lets one at a
// time.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { chainActions } from '../../db/installation/action-chain.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'

type Deps = { readonly slots: SlotMap; readonly clock: Clock; readonly log: Logger }

const roundMs = 10_000
const headMs = 60_000
const batch = 1_000

export function startAuditChain({ slots, clock, log }: Deps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  let headDueMs = clock.monotonicMs()
  const round = async () => {
    const isHeadDue = clock.monotonicMs() >= headDueMs
    for (const [index, database] of slots.databases.entries()) {
      let head = await chainActions(database, batch)
      while (head.added === batch && !closing.signal.aborted) head = await chainActions(database, batch)
      if (isHeadDue && head.sequence > 0) {
        log.info({ database: index, sequence: head.sequence, hash: head.hash.toString('hex') }, 'audit log head')
      }
    }
    if (isHeadDue) headDueMs += headMs
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      await round().catch((error: unknown) => log.warn({ err: error }, 'audit log not chained'))
      await clock.pause(roundMs, closing.signal)
    }
  }
  const running = loop()
  return {
    close: async () => {
      closing.abort()
      await running
    },
  }
}
