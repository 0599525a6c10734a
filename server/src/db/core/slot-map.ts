// Maps each of the 64 slots to its database. One database for all slots and eight databases with eight slots each run the
// same code: an ID gives the slot, the slot gives the database. A slot that has moved is where the databases say, and every
// other where the configuration says.

import { databaseAddress, distinctDatabases } from '../../domain/core/database-address.ts'
import type { DatabaseRole } from '../../domain/core/database-role.ts'
import { globalSlot, type Slot, slotsAll } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'
import { connect, type Database, type Deadlines, nameOf, requestDeadlines } from './database.ts'
import { readSlotMoves, type SlotMove } from './slot-move.ts'

export type SlotMap = {
  readonly databaseOf: (slot: Slot) => Database
  // Holds the data that belongs to no account.
  readonly globalDatabase: Database
  // Each database once.
  readonly databases: readonly Database[]
  // Reads from the databases which slots have moved. Returns those whose database has changed.
  readonly refresh: () => Promise<readonly Slot[]>
  // Whether a slot is moving, as of the last refresh; any of them if none is given.
  readonly isMoving: (slot?: Slot) => boolean
  // How often a slot was found in another database than before.
  readonly changes: () => number
  // Those that are not where the configuration says.
  readonly movedSlots: () => readonly Slot[]
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
  const configured = new Map([...urls].map(([slot, url]) => [slot, byAddress.get(databaseAddress(url)) as Database]))
  const databases = [...byAddress.values()]
  let bySlot: ReadonlyMap<Slot, Database> = configured
  let moving: ReadonlySet<Slot> = new Set()
  let changes = 0
  const databaseOf = (slot: Slot): Database => {
    const database = bySlot.get(slot)
    if (!database) throw new RangeError(`slot ${slot} has no database`)
    return database
  }
  return {
    databaseOf,
    globalDatabase: databaseOf(globalSlot),
    databases,
    refresh: async () => {
      const moves = await Promise.all(
        databases.map(async (database) => ({ database, moves: await readSlotMoves(database) })),
      )
      const before = bySlot
      moving = new Set(moves.flatMap((one) => one.moves.filter(isUnderWay).map(({ slot }) => slot)))
      bySlot = new Map(slotsAll.map((slot) => [slot, homeOf(slot, moves, configured.get(slot))]))
      const changed = slotsAll.filter((slot) => bySlot.get(slot) !== before.get(slot))
      changes += changed.length
      return changed
    },
    changes: () => changes,
    isMoving: (slot) => (slot === undefined ? moving.size > 0 : moving.has(slot)),
    movedSlots: () => (changes === 0 ? [] : slotsAll.filter((slot) => bySlot.get(slot) !== configured.get(slot))),
    close: async () => {
      await Promise.all(databases.map((database) => database.end()))
    },
  }
}

type MovesOf = { readonly database: Database; readonly moves: readonly SlotMove[] }

// A slot lives in the database that says so, or else where the configuration says. Between the end in one database and the
// beginning in the other it lives nowhere, and is looked for where it arrives.
function homeOf(slot: Slot, all: readonly MovesOf[], configured: Database | undefined): Database {
  const known = all.map(({ database, moves }) => ({ database, move: moves.find((move) => move.slot === slot) }))
  const homes = known.filter(({ database, move }) => (move ? livesHere(move) : database === configured))
  if (homes.length > 1) {
    const names = homes.map(({ database }) => nameOf(database)).join(' and ')
    throw new UsageError(
      `Slot ${slot} is in ${names}. Name the database in RINGPROOF_SHARD_URLS that \`ringproof slots list\` showed before the change.`,
    )
  }
  const arriving = known.find(({ move }) => move?.state === 'arriving')
  const home = homes[0]?.database ?? arriving?.database
  if (!home) throw new UsageError(`Slot ${slot} has moved to a database that RINGPROOF_SHARD_URLS does not name.`)
  return home
}

function livesHere({ state }: SlotMove): boolean {
  return state === 'copying' || state === 'frozen' || state === 'here'
}

function isUnderWay({ state, isHidden }: SlotMove): boolean {
  return state === 'copying' || state === 'frozen' || state === 'arriving' || (state === 'moved' && !isHidden)
}
