import { deleteApiKey, listApiKeys } from '../../db/accounts/api-key.ts'
import { lockService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'

type Command = { readonly serviceId: ServiceId; readonly name: string }

// Returns how many valid keys the service has left.
export async function revokeKey(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { serviceId, name }: Command,
): Promise<number> {
  return inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    if (!(await deleteApiKey(session, serviceId, name))) {
      throw new UsageError(
        `Service ${serviceId} has no key named ${name}. \`ringproof services keys list ${serviceId}\` shows its keys.`,
      )
    }
    await logAction(session, actor, {
      accountId,
      action: 'service key revoked',
      details: { service: serviceId, key: name },
    })
    return (await listApiKeys(session, serviceId)).filter(({ isValid }) => isValid).length
  })
}
