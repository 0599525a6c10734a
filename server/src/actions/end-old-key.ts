import { type Actor, logAction } from '../db/action-log.ts'
import { deleteReplacedKeys } from '../db/api-key.ts'
import { inTransaction } from '../db/database.ts'
import { lockService } from '../db/service.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { type ServiceId, slotOfService } from '../domain/core/slot.ts'
import { UsageError } from '../errors.ts'

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
