// Which database holds which slot. One database for all 64 slots and eight databases with eight slots each are the same
// code: whoever has an id asks for its slot's database.

import { homeSlot, type Slot } from '../domain/slot.ts'
import { connect, type Database } from './database.ts'

export type SlotMap = {
  readonly databaseOf: (slot: Slot) => Database
  // Where everything lives that belongs to nobody.
  readonly home: Database
  // Every database once.
  readonly databases: readonly Database[]
  readonly close: () => Promise<void>
}

export function openSlotMap(urls: ReadonlyMap<Slot, string>): SlotMap {
  const byUrl = new Map([...new Set(urls.values())].map((url) => [url, connect(url)]))
  const databaseOf = (slot: Slot): Database => {
    const database = byUrl.get(urls.get(slot) ?? '')
    if (!database) throw new RangeError(`slot ${slot} has no database`)
    return database
  }
  return {
    databaseOf,
    home: databaseOf(homeSlot),
    databases: [...byUrl.values()],
    close: async () => {
      await Promise.all([...byUrl.values()].map((database) => database.end()))
    },
  }
}
