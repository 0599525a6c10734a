import { type Account, lockAccount } from '../db/account.ts'
import type { Session } from '../db/database.ts'
import type { AccountId } from '../domain/slot.ts'
import { UsageError } from '../errors.ts'

// Locks the account for the rest of the transaction: what was read of it stays true.
export async function findAccount(session: Session, id: AccountId): Promise<Account> {
  const account = await lockAccount(session, id)
  if (!account) throw new UsageError(`there is no account ${id}`)
  return account
}
