import { listServices as listInDatabase, type Service } from '../db/service.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { AccountId } from '../domain/slot.ts'

// Of all databases or of one account, oldest first.
export async function listServices(
  deps: { readonly slots: SlotMap },
  accountId: AccountId | undefined,
): Promise<readonly Service[]> {
  const lists = await Promise.all(deps.slots.databases.map(listInDatabase))
  return lists
    .flat()
    .filter((service) => accountId === undefined || service.accountId === accountId)
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id)
}
