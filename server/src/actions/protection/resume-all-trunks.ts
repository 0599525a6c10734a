import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteTrunkStop, type TrunkStop } from '../../db/protection/trunk-stop.ts'

// Calls start again in every process within a second. Returns the stop that was lifted; undefined if there was none.
export async function resumeAllTrunks(deps: { readonly slots: SlotMap }, actor: Actor): Promise<TrunkStop | undefined> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const stop = await deleteTrunkStop(session)
    if (stop) {
      const details = { reason: stop.reason, stoppedAt: stop.stoppedAt }
      await logAction(session, actor, { accountId: null, action: 'all trunks resumed', details })
    }
    return stop
  })
}
