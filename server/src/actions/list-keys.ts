import { type ApiKey, listApiKeys } from '../db/api-key.ts'
import { readService } from '../db/service.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { type ServiceId, slotOfService } from '../domain/slot.ts'
import { UsageError } from '../errors.ts'

// Everything about the keys of a service but the keys: only their digests are stored.
export async function listKeys(
  { slots }: { readonly slots: SlotMap },
  serviceId: ServiceId,
): Promise<readonly ApiKey[]> {
  const database = slots.databaseOf(slotOfService(serviceId))
  if (!(await readService(database, serviceId))) throw new UsageError(`there is no service ${serviceId}`)
  return listApiKeys(database, serviceId)
}
