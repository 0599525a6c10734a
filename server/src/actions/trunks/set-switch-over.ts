import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { endSwitchOver, lockActiveSwitchOvers, writeSwitchOverControl } from '../../db/trunks/switch-over.ts'

// Switches the automation on or off. Off, traffic returns to the order of the trunks, except what is pinned. False if it was so already.
export async function setSwitchOver(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { isOn }: { readonly isOn: boolean },
): Promise<boolean> {
  return inTransaction(slots.globalDatabase, async (session) => {
    if (!(await writeSwitchOverControl(session, isOn))) return false
    const active = isOn ? [] : (await lockActiveSwitchOvers(session)).filter(({ isPinned }) => !isPinned)
    for (const { id } of active) await endSwitchOver(session, id, 'switched-off')
    const details = { before: { isOn: !isOn }, after: { isOn }, takenBack: active.length }
    await logAction(session, actor, { accountId: null, action: 'switch-over set', details })
    return true
  })
}
