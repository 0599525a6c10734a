// Returns to the version of the numbering data that is kept; doing it again undoes it.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly readVersion: () => Promise<string>
  // Throws a UsageError if there is no other version, or if it cannot be read. Returns the version then in use.
  readonly rollBack: () => Promise<string>
}

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
