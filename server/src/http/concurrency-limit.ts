import { type AccountId, type Slot, slotOfAccount } from '../domain/core/slot.ts'
import { unavailable } from '../process/errors.ts'

// Databases are only counted here, never queried.
type Databases<Database> = {
  readonly databases: readonly Database[]
  readonly databaseOf: (slot: Slot) => Database
}

type ConcurrencyLimit = {
  // Whether every further start would be refused.
  readonly isFull: () => boolean
  // Refuses while the account, or its database, has the maximum in flight.
  readonly run: <T>(accountId: AccountId, work: () => Promise<T>) => Promise<T>
}

// Enough for full batches to the database and to the call queue, with as many waiting behind them. A process serves that in
// a fraction of a second.
export const inFlightMax = 256
// One account gets at most half, so that it alone cannot make a process refuse all others.
export const inFlightPerAccountMax = inFlightMax / 2

// Sheds load: an unbounded queue would make every client wait until it has given up. So each database has a maximum of
// starts in flight, and the excess is refused before any work is done for it. A database that does not respond blocks only
// its own starts.
export function createConcurrencyLimit<Database>({ databases, databaseOf }: Databases<Database>): ConcurrencyLimit {
  const byDatabase = new Map<Database, number>(databases.map((database) => [database, 0]))
  const byAccount = new Map<AccountId, number>()
  const inFlightIn = (database: Database) => byDatabase.get(database) ?? 0
  return {
    isFull: () => databases.every((database) => inFlightIn(database) >= inFlightMax),
    run: async (accountId, work) => {
      const database = databaseOf(slotOfAccount(accountId))
      const ofAccount = byAccount.get(accountId) ?? 0
      if (inFlightIn(database) >= inFlightMax || ofAccount >= inFlightPerAccountMax) {
        throw unavailable(ofAccount >= inFlightPerAccountMax ? 'account_busy' : 'saturated')
      }
      byDatabase.set(database, inFlightIn(database) + 1)
      byAccount.set(accountId, ofAccount + 1)
      try {
        return await work()
      } finally {
        byDatabase.set(database, inFlightIn(database) - 1)
        const left = (byAccount.get(accountId) ?? 1) - 1
        if (left === 0) byAccount.delete(accountId)
        else byAccount.set(accountId, left)
      }
    },
  }
}
