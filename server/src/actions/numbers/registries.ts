// Fetches the registries now. The command fetches them itself; the console asks the processes that do it on a schedule.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly readVersion: () => Promise<string>
  // Throws a UsageError if there is no other version, or if it cannot be read. Returns the version then in use.
  readonly rollBack: () => Promise<string>
}

type UpdateRegistriesDeps<Done> = {
  readonly slots: SlotMap
  // Undefined if others have been asked: they need a while.
  readonly fetchNow: () => Promise<Done>
}

// Asks every process that fetches; false if none of them replied.
export type RequestRegistryFetch = () => Promise<boolean>

// Written to the log afterwards: what could not be fetched has changed nothing.
export async function updateRegistries<Done extends { readonly version: string } | undefined>(
  { slots, fetchNow }: UpdateRegistriesDeps<Done>,
  actor: Actor,
): Promise<Done> {
  const done = await fetchNow()
  const details = done === undefined ? {} : { after: { version: done.version } }
  await logAction(slots.globalDatabase, actor, { accountId: null, action: 'registry fetch', details })
  return done
}

// Returns to the version of the numbering data that is kept; doing it again undoes it.

// `seenVersion` is the one that a person saw in use: a second press must not undo the first. Written to the log afterwards: files and
// the database do not change together, and a rollback that failed is none.
export async function rollBackRegistries(
  { slots, readVersion, rollBack }: Deps,
  actor: Actor,
  seenVersion?: string,
): Promise<string> {
  const before = await readVersion()
  if (seenVersion !== undefined && before !== seenVersion) throw new Denial('conflict')
  const after = await rollBack()
  const details = { before: { version: before }, after: { version: after } }
  await logAction(slots.globalDatabase, actor, { accountId: null, action: 'registries rolled back', details })
  return after
}
