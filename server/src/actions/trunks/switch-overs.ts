import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  endSwitchOver,
  lockActiveSwitchOvers,
  lockSwitchOver,
  readSwitchOvers,
  type StoredSwitchOver,
  writeSwitchOverControl,
  writeSwitchOverPin,
} from '../../db/trunks/switch-over.ts'
import { takenBackHoldMs } from '../../domain/trunks/switch-over.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
}

// Switches the automation on or off. Off, traffic returns to the order of the trunks, except what is pinned. False if it was so already.
export async function setSwitchOver(
  { slots }: Deps,
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

// Pinned, traffic stays where it was moved to. A trial is moved at once: the operator has decided.
export async function pinSwitchOver(
  { slots }: Deps,
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

// New calls use the order of the trunks within a second; nothing is switched over for the destination for an hour. Calls in progress
// are not affected.
export async function takeBackSwitchOver(
  { slots }: Deps,
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

// The switch-overs of now, then the latest that have ended.

const pastMax = 20

export async function showSwitchOvers({
  slots,
}: {
  readonly slots: SlotMap
}): Promise<{ readonly isOn: boolean; readonly switchOvers: readonly StoredSwitchOver[] }> {
  return readSwitchOvers(slots.globalDatabase, pastMax)
}
