import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { lockSwitchOver, type StoredSwitchOver, writeSwitchOverPin } from '../../db/trunks/switch-over.ts'
import { Denial } from '../../process/errors.ts'

// Pinned, traffic stays where it was moved to. A trial is moved at once: the operator has decided.
export async function pinSwitchOver(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { id, isPinned }: { readonly id: number; readonly isPinned: boolean },
): Promise<StoredSwitchOver> {
  return inTransaction(slots.globalDatabase, async (session) => {
    const active = await lockSwitchOver(session, id)
    if (!active) throw new Denial('not-found')
    await writeSwitchOverPin(session, id, isPinned)
    const { country, provider, from, to } = active
    const details = { country, provider, from, to, before: { isPinned: active.isPinned }, after: { isPinned } }
    await logAction(session, actor, {
      accountId: null,
      action: isPinned ? 'switch-over pinned' : 'switch-over unpinned',
      details,
    })
    return active
  })
}
