import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { endSwitchOver, lockSwitchOver, type StoredSwitchOver } from '../../db/trunks/switch-over.ts'
import { takenBackHoldMs } from '../../domain/trunks/switch-over.ts'
import { Denial } from '../../process/errors.ts'

// New calls use the order of the trunks within a second; nothing is switched over for the destination for an hour. Calls in progress
// are not affected.
export async function takeBackSwitchOver(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { id }: { readonly id: number },
): Promise<StoredSwitchOver> {
  return inTransaction(slots.globalDatabase, async (session) => {
    const active = await lockSwitchOver(session, id)
    if (!active) throw new Denial('not-found')
    await endSwitchOver(session, id, 'taken-back', takenBackHoldMs)
    const { country, provider, from, to, phase } = active
    const details = { country, provider, before: { trunk: to, phase }, after: { trunk: from } }
    await logAction(session, actor, { accountId: null, action: 'switch-over taken back', details })
    return active
  })
}
