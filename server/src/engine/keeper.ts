// Two loops a database, and neither waits for the other: the sweep ends what is overdue and releases its holds, housekeeping
// makes and drops partitions and forgets what is old. There is no leader for the sweep: any number of keepers sweep at once,
// and rows that another one has locked are skipped. So a keeper that is frozen or gone costs nothing while one is left.

import type { Clock } from '../clock.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'
import { keepHouse } from './housekeeping.ts'
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
    const own = { ...deps, database, name: String(index) }
    return [sweep(own, closing.signal), keepHouse(own, closing.signal)]
  })
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}
