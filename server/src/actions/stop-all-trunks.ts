import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { insertTrunkStop } from '../db/trunk-stop.ts'
import { parseText } from '../domain/text.ts'
import { UsageError } from '../errors.ts'

// No call is started or dialled any more, in every process within a second. Calls that ring go on to their end, and calls
// that subscribers make to us are still matched: they cost nothing. False when the trunks were stopped already.
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
