// Returns to the version of the numbering data that is kept; doing it again undoes it.

import { type Actor, logAction } from '../db/action-log.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { NumberingStatus } from '../domain/numbers/numbering-report.ts'
import { Denial, UsageError } from '../errors.ts'

export type NumberingFiles = {
  readonly status: () => Promise<NumberingStatus>
  readonly rollBack: () => Promise<string>
  // Every process then loads the new data.
  readonly notifyChanged: () => void
}

type Deps = { readonly slots: SlotMap; readonly numberingFiles: NumberingFiles | undefined }

// Written to the log afterwards: files and the database do not change together, and a rollback that failed is none.
export async function rollBackRegistries(
  { slots, numberingFiles: files }: Deps,
  actor: Actor,
  seenVersion: string,
): Promise<string> {
  if (!files) throw new Denial('unavailable')
  const { version: before, previousVersion } = await files.status()
  if (before !== seenVersion) throw new Denial('conflict')
  if (previousVersion === undefined) throw new Denial('not-found')
  const after = await files.rollBack().catch((error: unknown) => {
    throw error instanceof UsageError ? new Denial('unavailable') : error
  })
  files.notifyChanged()
  const details = { before: { version: before }, after: { version: after } }
  await logAction(slots.globalDatabase, actor, { accountId: null, action: 'registries rolled back', details })
  return after
}
