import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertTrunkStop } from '../../db/protection/trunk-stop.ts'
import { parseText } from '../../domain/values/text.ts'
import { UsageError } from '../../process/errors.ts'

// Every process stops starting and dialling calls within a second. Calls in progress continue, and inbound calls are still
// matched, because they cost nothing. False if the trunks were already stopped.
export async function stopAllTrunks(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  command: { readonly reason: string },
): Promise<boolean> {
  const reason = parseText(command.reason, 1, 200)
  if (reason === undefined) throw new UsageError('--reason takes 1 to 200 characters: why all calls are stopped.')
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const isNew = await insertTrunkStop(session, reason)
    if (isNew) await logAction(session, actor, { accountId: null, action: 'all trunks stopped', details: { reason } })
    return isNew
  })
}
