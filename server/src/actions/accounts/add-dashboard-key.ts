import { deleteApiKey, insertApiKey } from '../../db/accounts/api-key.ts'
import { lockService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { apiKeyRandomBytes, dashboardKeyName, makeApiKey, storedKey } from '../../domain/accounts/api-key.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { hourSeconds } from '../../domain/values/time.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }

export const dashboardKeySeconds = hourSeconds

// The key with which the dashboard itself calls the API for a person who presses "run here". It replaces the one before.
export async function addDashboardKey(deps: Deps, actor: Actor, serviceId: ServiceId): Promise<string> {
  const key = makeApiKey(deps.randomBytes(apiKeyRandomBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    await deleteApiKey(session, serviceId, dashboardKeyName)
    await insertApiKey(session, serviceId, storedKey(dashboardKeyName, ['start', 'read'], key), dashboardKeySeconds)
    const details = { service: serviceId, key: dashboardKeyName, expiresSeconds: dashboardKeySeconds }
    await logAction(session, actor, { accountId, action: 'service key added', details })
  })
  return key
}
