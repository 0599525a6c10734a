// Maps each of the 64 slots to its database. One database for all slots and eight databases with eight slots each run the
// same code: an ID gives the slot, the slot gives the database.

import { databaseAddress, distinctDatabases } from '../domain/database-address.ts'
import type { DatabaseRole } from '../domain/database-role.ts'
import { globalSlot, type Slot } from '../domain/slot.ts'
import { connect, type Database, type Deadlines, requestDeadlines } from './database.ts'

export type SlotMap = {
  readonly databaseOf: (slot: Slot) => Database
  // Holds the data that belongs to no account.
  readonly globalDatabase: Database
  // Each database once.
  readonly databases: readonly Database[]
  readonly close: () => Promise<void>
}

// Whether both slots are in the same database.
export function sharesDatabase({ databaseOf }: Pick<SlotMap, 'databaseOf'>, one: Slot, other: Slot): boolean {
  return databaseOf(one) === databaseOf(other)
}

export function createSlotMap(
  urls: ReadonlyMap<Slot, string>,
  deadlines: Deadlines = requestDeadlines,
  role?: DatabaseRole,
  poolSize?: number,
): SlotMap {
  // By resolved address: one database written in two ways gets one pool.
  const distinct = [...distinctDatabases(urls.values())]
  const byAddress = new Map(distinct.map(([address, url]) => [address, connect(url, deadlines, role, poolSize)]))
  const bySlot = new Map([...urls].map(([slot, url]) => [slot, byAddress.get(databaseAddress(url))]))
  const databaseOf = (slot: Slot): Database => {
    const database = bySlot.get(slot)
    if (!database) throw new RangeError(`slot ${slot} has no database`)
    return database
  }
  return {
    databaseOf,
    globalDatabase: databaseOf(globalSlot),
    databases: [...byAddress.values()],
    close: async () => {
      await Promise.all([...byAddress.values()].map((database) => database.end()))
    },
  }
}
