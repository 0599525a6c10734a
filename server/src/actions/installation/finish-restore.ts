// After a restore from a backup: nothing of the lost time is dialled, signed in or given out a second time.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { type Database, inTransaction, nameOf } from '../../db/core/database.ts'
import { deleteKeyChecks, readKeyChecks, writeKeyChecks } from '../../db/core/key-check.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type FinishedRestore, finishDatabaseRestore, readNewestMoment } from '../../db/installation/restore.ts'
import {
  compareRestoredKeys,
  destroyedKeys,
  type KeyCheck,
  keyChecks,
  keyFaultSentence,
  nameOfKey,
} from '../../domain/crypto/key-check.ts'
import { UsageError } from '../../process/errors.ts'
import { examineKeys, type HeldKeys } from './assert-keys.ts'

type Deps = { readonly slots: SlotMap; readonly held: HeldKeys }

// In the order of the databases.
export async function finishRestore({ slots, held }: Deps, actor: Actor): Promise<readonly FinishedRestore[]> {
  const destroyed = new Map(
    await Promise.all(slots.databases.map(async (one) => [one, await readDestroyed(one, held)] as const)),
  )
  return Promise.all(
    slots.databases.map((database) =>
      inTransaction(database, async (session) => {
        await deleteKeyChecks(session, destroyed.get(database) ?? [])
        await writeKeyChecks(session, keyChecks(held.rings))
        const restore = await finishDatabaseRestore(session)
        const details = { restored_to: restore.restoredTo.toISOString(), calls: restore.calls }
        await logAction(session, actor, { accountId: null, action: 'restore finished', details })
        return restore
      }),
    ),
  )
}

// The last moment of which each database knows.
export async function readNewestMoments({ slots }: Pick<Deps, 'slots'>): Promise<readonly Date[]> {
  return Promise.all(slots.databases.map(readNewestMoment))
}

// The key files that have been destroyed since the moment restored to.
export async function readDestroyedKeys({ slots, held }: Deps): Promise<readonly string[]> {
  const destroyed = await Promise.all(slots.databases.map((database) => readDestroyed(database, held)))
  return [...new Set(destroyed.flat().map(nameOfKey))]
}

async function readDestroyed(database: Database, held: HeldKeys): Promise<readonly KeyCheck[]> {
  const known = await readKeyChecks(database)
  const faults =
    known.length === 0
      ? (await examineKeys(database, held.rings)).faults
      : compareRestoredKeys(keyChecks(held.rings), known)
  if (faults.length > 0) throw new UsageError(keyFaultSentence(held.dir, nameOf(database), faults))
  return destroyedKeys(keyChecks(held.rings), known)
}
