// After a restore from a backup: nothing of the lost time is dialled, signed in or given out a second time.

import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import { type FinishedRestore, finishDatabaseRestore, readNewestMoment } from '../db/restore.ts'
import type { SlotMap } from '../db/slot-map.ts'

type Deps = { readonly slots: SlotMap }

// In the order of the databases.
export async function finishRestore({ slots }: Deps, actor: Actor): Promise<readonly FinishedRestore[]> {
  return Promise.all(
    slots.databases.map((database) =>
      inTransaction(database, async (session) => {
        const restore = await finishDatabaseRestore(session)
        const details = { restored_to: restore.restoredTo.toISOString(), calls: restore.calls }
        await logAction(session, actor, { accountId: null, action: 'restore finished', details })
        return restore
      }),
    ),
  )
}

// The last moment of which each database knows.
export async function readNewestMoments({ slots }: Deps): Promise<readonly Date[]> {
  return Promise.all(slots.databases.map(readNewestMoment))
}
