// The backups of every stanza, and whether they are in order.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { type Database, inTransaction, nameOf } from '../../db/core/database.ts'
import { confirmDatabaseClock, type DatabaseClock, readDatabaseClock } from '../../db/core/database-clock.ts'
import { makePartitions } from '../../db/core/housekeeping.ts'
import { deleteKeyChecks, readKeyChecks, writeKeyChecks } from '../../db/core/key-check.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type FinishedRestore, finishDatabaseRestore, readNewestMoment } from '../../db/installation/restore.ts'
import { readDeliveries, sendDeliveriesAnew } from '../../db/webhooks/delivery-list.ts'
import {
  compareRestoredKeys,
  destroyedKeys,
  type KeyCheck,
  keyChecks,
  keyFaultSentence,
  nameOfKey,
} from '../../domain/crypto/key-check.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type Backup, backupsIn, evaluateBackup, unreadableBackup } from '../../domain/installation/backup.ts'
import type { Finding } from '../../domain/installation/finding.ts'
import { checkMsMax } from '../../domain/installation/thresholds.ts'
import { type Clock, withTimeLimit } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'
import { UsageError } from '../../process/errors.ts'
import { hostOf } from '../webhooks/webhooks-view.ts'
import { examineKeys, type HeldKeys } from './keys.ts'

type Deps = {
  readonly config: Pick<Config, 'backupStanzas'>
  // Real time, whatever the time scale.
  readonly clock: Clock
  // What `pgbackrest info` prints; rejects with the reason.
  readonly probes: { readonly backups: (stanza: string, signal: AbortSignal) => Promise<unknown> }
  readonly slots: SlotMap
  readonly held: HeldKeys
  readonly recordKeys: KeyRing
}

export type StanzaBackups = {
  readonly stanza: string
  // The newest last.
  readonly backups: readonly Backup[]
  readonly finding: Finding
}

export async function listBackups({
  config,
  clock,
  probes,
}: Pick<Deps, 'config' | 'clock' | 'probes'>): Promise<readonly StanzaBackups[]> {
  return Promise.all(
    config.backupStanzas.map((stanza) =>
      withTimeLimit<StanzaBackups>(
        clock,
        checkMsMax,
        async (signal) => {
          const info = await probes.backups(stanza, signal)
          return { stanza, backups: backupsIn(info), finding: evaluateBackup(stanza, info, clock.timeOfDayMs()) }
        },
        (error) => ({ stanza, backups: [], finding: unreadableBackup(stanza, error) }),
      ),
    ),
  )
}

// After a restore from a backup: nothing of the lost time is dialled, signed in or given out a second time.

// In the order of the databases.
export async function finishRestore(
  { slots, held }: Pick<Deps, 'slots' | 'held'>,
  actor: Actor,
): Promise<readonly FinishedRestore[]> {
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
export async function readDestroyedKeys({ slots, held }: Pick<Deps, 'slots' | 'held'>): Promise<readonly string[]> {
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

// Of each database and press.
const recoveredMax = 1_000

// Sends every failed webhook to a host again whose number is still there, over all customers. Returns how many.
export async function recoverHost(
  { slots, recordKeys }: Pick<Deps, 'slots' | 'recordKeys'>,
  actor: Actor,
  host: string,
): Promise<number> {
  const counts = await Promise.all(
    slots.databases.map((database) =>
      inTransaction(database, async (session) => {
        const dead = await readDeliveries(session, { state: 'dead', limit: recoveredMax })
        const there = dead.filter((delivery) => delivery.numberUntil !== null && hostOf(recordKeys, delivery) === host)
        const sent = await sendDeliveriesAnew(
          session,
          there.map(({ id }) => id),
        )
        const byAccount = Map.groupBy(
          there.filter(({ id }) => sent.has(id)),
          ({ accountId }) => accountId,
        )
        for (const [accountId, { length: count }] of byAccount) {
          await logAction(session, actor, { accountId, action: 'webhooks recovered', details: { host, count } })
        }
        return sent.size
      }),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

// After a database was down for more than a day, or its clock jumped ahead, nothing starts until an operator confirms the
// clock.

// Returns the clocks as they were before.
export async function confirmClock(deps: Pick<Deps, 'slots'>): Promise<readonly DatabaseClock[]> {
  const clocks = await readClocks(deps)
  for (const [index, database] of deps.slots.databases.entries()) {
    if (clocks[index]?.isTrusted !== false) continue
    await confirmDatabaseClock(database)
    await makePartitions(database)
  }
  return clocks
}

export async function readClocks({ slots }: Pick<Deps, 'slots'>): Promise<readonly DatabaseClock[]> {
  return Promise.all(slots.databases.map(readDatabaseClock))
}
