// After a database was down for more than a day, or its clock jumped ahead, nothing starts until an operator confirms the
// clock.

import { confirmDatabaseClock, type DatabaseClock, readDatabaseClock } from '../../db/core/database-clock.ts'
import { makePartitions } from '../../db/core/partitions.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'

type Deps = { readonly slots: SlotMap }

// Returns the clocks as they were before.
export async function confirmClock(deps: Deps): Promise<readonly DatabaseClock[]> {
  const clocks = await readClocks(deps)
  for (const [index, database] of deps.slots.databases.entries()) {
    if (clocks[index]?.isTrusted !== false) continue
    await confirmDatabaseClock(database)
    await makePartitions(database)
  }
  return clocks
}

export async function readClocks({ slots }: Deps): Promise<readonly DatabaseClock[]> {
  return Promise.all(slots.databases.map(readDatabaseClock))
}
