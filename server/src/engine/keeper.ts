// The keeper (housekeeping role) runs four independent loops per database: the sweep ends overdue calls and releases their
// holds; housekeeping creates and drops partitions and deletes old rows; the third counts calls for statistics; the fourth reads
// figures for the metrics. The sweep has no leader: any number of keepers sweep at once and skip rows that another has locked.
// So a frozen or dead keeper costs nothing while one is left.

import type { Clock } from '../clock.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'
import { keepCounts } from './count-calls.ts'
import { keepHouse } from './housekeeping.ts'
import { measure } from './measure.ts'
import { sweep } from './sweep.ts'

export type KeeperDeps = {
  readonly slots: SlotMap
  readonly timeScale: number
  readonly verificationDays: number
  readonly ledgerDays: number
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly clock: Clock
  readonly events: Events
  readonly log: Logger
}

export function startKeeper(deps: KeeperDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const loops = deps.slots.databases.flatMap((database, index) => {
    const perDatabase = { ...deps, database, name: String(index) }
    return [
      sweep(perDatabase, closing.signal),
      keepHouse(perDatabase, closing.signal),
      keepCounts(perDatabase, closing.signal),
      measure(perDatabase, closing.signal),
    ]
  })
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}
