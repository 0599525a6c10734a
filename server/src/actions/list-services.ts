import { listServices as listInDatabase, readService, type Service } from '../db/service.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { type AccountId, type ServiceId, slotOfAccount, slotOfService } from '../domain/slot.ts'

type Wanted = { readonly accountId?: AccountId | undefined; readonly serviceId?: ServiceId | undefined }

// Oldest first. An account or a service names its own database, and no other is asked.
export async function listServices(
  deps: { readonly slots: SlotMap },
  { accountId, serviceId }: Wanted,
): Promise<readonly Service[]> {
  const { slots } = deps
  if (serviceId !== undefined) {
    const service = await readService(slots.databaseOf(slotOfService(serviceId)), serviceId)
    return service && (accountId === undefined || service.accountId === accountId) ? [service] : []
  }
  if (accountId !== undefined) return listInDatabase(slots.databaseOf(slotOfAccount(accountId)), accountId)
  const lists = await Promise.all(slots.databases.map((database) => listInDatabase(database)))
  return lists.flat().toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id)
}
