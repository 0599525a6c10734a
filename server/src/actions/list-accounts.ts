import { type Account, listAccounts as listInDatabase } from '../db/account.ts'
import type { SlotMap } from '../db/slot-map.ts'

// All databases, oldest first.
export async function listAccounts(deps: { readonly slots: SlotMap }): Promise<readonly Account[]> {
  const lists = await Promise.all(deps.slots.databases.map(listInDatabase))
  return lists.flat().toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id)
}
