import { type Actor, logAction } from '../db/action-log.ts'
import { replaceApiKey } from '../db/api-key.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { apiKeyChanceBytes, digestApiKey, makeApiKey } from '../domain/api-key.ts'
import { type ServiceId, slotOfService } from '../domain/slot.ts'
import { findService } from './find-service.ts'

type Deps = { readonly slots: SlotMap; readonly chance: (bytes: number) => Uint8Array }
type Command = { readonly serviceId: ServiceId; readonly overlapSeconds: number }

// The new key, shown here and never again.
export async function rotateKey(deps: Deps, actor: Actor, command: Command): Promise<string> {
  const { serviceId, overlapSeconds } = command
  const key = makeApiKey(deps.chance(apiKeyChanceBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await findService(session, serviceId)
    await replaceApiKey(session, serviceId, digestApiKey(key), overlapSeconds)
    const details = { service: serviceId, overlapSeconds }
    await logAction(session, actor, { accountId, action: 'service key rotated', details })
  })
  return key
}
