import { type ApiKey, listApiKeys } from '../../db/accounts/api-key.ts'
import { readService } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'

// The keys of a service without their values: only digests are stored.
export async function listKeys(
  { slots }: { readonly slots: SlotMap },
  serviceId: ServiceId,
): Promise<readonly ApiKey[]> {
  const database = slots.databaseOf(slotOfService(serviceId))
  if (!(await readService(database, serviceId)))
    throw new UsageError(`Service ${serviceId} does not exist. \`ringproof services list\` shows all services.`)
  return listApiKeys(database, serviceId)
}
