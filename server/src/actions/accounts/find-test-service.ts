import { listServices } from '../../db/accounts/service.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { createService } from './create-service.ts'

// Only a test service may call a virtual phone. An account that has none gets one with the first such call: it is free, and it
// calls no one else.
export async function findTestService(
  deps: Parameters<typeof createService>[0],
  actor: Actor,
  accountId: AccountId,
): Promise<ServiceId> {
  const services = await listServices(deps.slots.databaseOf(slotOfAccount(accountId)), accountId)
  const known = services.find(({ isTest, settings }) => isTest && settings.state === 'on')
  if (known) return known.id
  const { serviceId } = await createService(deps, actor, { accountId, name: 'Tests', isTest: true })
  return serviceId
}
