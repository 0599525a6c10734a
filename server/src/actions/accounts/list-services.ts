import { listServices as listInDatabase, type Service } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'

// Oldest first. With an account only its database is read.
export async function listServices(
  deps: { readonly slots: SlotMap },
  accountId: AccountId | undefined,
): Promise<readonly Service[]> {
  const { slots } = deps
  if (accountId !== undefined) return listInDatabase(slots.databaseOf(slotOfAccount(accountId)), accountId)
  const lists = await Promise.all(slots.databases.map((database) => listInDatabase(database)))
  return lists.flat().toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id)
}
