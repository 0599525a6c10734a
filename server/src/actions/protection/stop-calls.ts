import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteTrunkStop, insertTrunkStop, type TrunkStop } from '../../db/protection/trunk-stop.ts'
import { parseText } from '../../domain/values/text.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
}

// Every process stops starting and dialling calls within a second. Calls in progress continue, and inbound calls are still
// matched, because they cost nothing. False if the trunks were already stopped.
export async function stopAllTrunks(deps: Deps, actor: Actor, command: { readonly reason: string }): Promise<boolean> {
  const reason = parseText(command.reason, 1, 200)
  if (reason === undefined) throw new UsageError('--reason takes 1 to 200 characters: why all calls are stopped.')
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const isNew = await insertTrunkStop(session, reason)
    if (isNew) await logAction(session, actor, { accountId: null, action: 'all trunks stopped', details: { reason } })
    return isNew
  })
}

// Calls start again in every process within a second. Returns the stop that was lifted; undefined if there was none.
export async function resumeAllTrunks(deps: Deps, actor: Actor): Promise<TrunkStop | undefined> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const stop = await deleteTrunkStop(session)
    if (stop) {
      const details = { reason: stop.reason, stoppedAt: stop.stoppedAt }
      await logAction(session, actor, { accountId: null, action: 'all trunks resumed', details })
    }
    return stop
  })
}
