import { deleteReplacedKeys } from '../../db/accounts/api-key.ts'
import { lockService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'

// Ends the overlap of a rotation now.
export async function endOldKey(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { serviceId, name }: { readonly serviceId: ServiceId; readonly name: string },
): Promise<void> {
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    if (!(await deleteReplacedKeys(session, serviceId, name)))
      throw new UsageError(`Service ${serviceId} has no old key named ${name}.`)
    const details = { service: serviceId, key: name }
    await logAction(session, actor, { accountId, action: 'old service key ended', details })
  })
}
