import type { Database } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { type AccountId, slotOfAccount } from '../domain/slot.ts'
import { Refusal } from '../errors.ts'

export type ConcurrencyLimit = {
  // Whether nobody would be let in.
  readonly isFull: () => boolean
  // Refuses while the account's database, or the account, has as many under way as it may have.
  readonly run: <T>(accountId: AccountId, work: () => Promise<T>) => Promise<T>
}

// Enough for full batches to the database and to the stream, with as many waiting behind them: what a process carries off in
// a fraction of a second.
export const inFlightMax = 256
// One account may have half of it, so that it alone cannot make a process refuse everybody else.
export const underWayOfAccountMax = inFlightMax / 2

// More may come than goes through. A queue without an end would let everybody wait until nobody wants the response any more;
// so this many are under way at once in a database, and whoever comes on top of them is told so before anything was worked
// out for them. A database that is silent fills its own places only.
export function createConcurrencyLimit({
  databases,
  databaseOf,
}: Pick<SlotMap, 'databases' | 'databaseOf'>): ConcurrencyLimit {
  const byDatabase = new Map<Database, number>(databases.map((database) => [database, 0]))
  const byAccount = new Map<AccountId, number>()
  const underWayOf = (database: Database) => byDatabase.get(database) ?? 0
  return {
    isFull: () => databases.every((database) => underWayOf(database) >= inFlightMax),
    run: async (accountId, work) => {
      const database = databaseOf(slotOfAccount(accountId))
      const ofAccount = byAccount.get(accountId) ?? 0
      if (underWayOf(database) >= inFlightMax || ofAccount >= underWayOfAccountMax) {
        throw new Refusal('unavailable', {}, 1)
      }
      byDatabase.set(database, underWayOf(database) + 1)
      byAccount.set(accountId, ofAccount + 1)
      try {
        return await work()
      } finally {
        byDatabase.set(database, underWayOf(database) - 1)
        const left = (byAccount.get(accountId) ?? 1) - 1
        if (left === 0) byAccount.delete(accountId)
        else byAccount.set(accountId, left)
      }
    },
  }
}
