import { listServices as listInDatabase, readService, type Service } from '../db/service.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { type AccountId, type ServiceId, slotOfAccount, slotOfService } from '../domain/slot.ts'

type Filter = { readonly accountId?: AccountId | undefined; readonly serviceId?: ServiceId | undefined }

// Oldest first. With an account or service ID only its database is read.
export async function listServices(
  deps: { readonly slots: SlotMap },
  { accountId, serviceId }: Filter,
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
