// Fetches the registries now. The command fetches them itself; the console asks the processes that do it on a schedule.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'

type Deps<Done> = {
  readonly slots: SlotMap
  // Undefined if others have been asked: they need a while.
  readonly fetchNow: () => Promise<Done>
}

// Asks every process that fetches; false if none of them replied.
export type RequestRegistryFetch = () => Promise<boolean>

// Written to the log afterwards: what could not be fetched has changed nothing.
export async function updateRegistries<Done extends { readonly version: string } | undefined>(
  { slots, fetchNow }: Deps<Done>,
  actor: Actor,
): Promise<Done> {
  const done = await fetchNow()
  const details = done === undefined ? {} : { after: { version: done.version } }
  await logAction(slots.globalDatabase, actor, { accountId: null, action: 'registry fetch', details })
  return done
}
