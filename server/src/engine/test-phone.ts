// The virtual phone behind a test call, and what its handset did: kept for the page that shows it.

import type { SlotMap } from '../db/slot-map.ts'
import { noteTestCall } from '../db/verification.ts'
import { readFaults, readPhone } from '../db/virtual-phone.ts'
import type { CallOrder, CallRoute } from '../domain/calls/call-order.ts'
import { testNumberPhone, type VirtualPhone } from '../domain/calls/virtual-phone.ts'
import { changedCallerNumber } from '../domain/numbers/test-number.ts'
import { slotOfVerification } from '../domain/slot.ts'
import type { Logger } from '../log.ts'
import type { NoteChange } from './live-hints.ts'

type Deps = { readonly slots: SlotMap; readonly noteChange: NoteChange; readonly log: Logger }

export async function readTestPhone(
  { slots }: Deps,
  { number, mode, accountId }: Pick<CallOrder, 'number' | 'mode' | 'accountId'>,
): Promise<VirtualPhone> {
  const known = testNumberPhone(number, mode)
  if (known) return known
  const [phone, faults] = await Promise.all([
    readPhone(slots.globalDatabase, number),
    readFaults(slots.globalDatabase, accountId),
  ])
  return { state: phone?.state ?? 'off', faults }
}

export async function noteShownCaller(
  deps: Deps,
  order: CallOrder,
  { callerNumber }: CallRoute,
  { faults }: VirtualPhone,
): Promise<void> {
  if (!faults.has('changed-caller') || callerNumber === undefined) return
  await note(deps, order, { shownCaller: changedCallerNumber(callerNumber), isAnswered: false })
}

export async function noteAnswered(deps: Deps, order: CallOrder): Promise<void> {
  await note(deps, order, { shownCaller: undefined, isAnswered: true })
  deps.noteChange(order.accountId, 'phones')
}

// Only for show: the call goes on without it.
async function note({ slots, log }: Deps, { id }: CallOrder, seen: Parameters<typeof noteTestCall>[2]): Promise<void> {
  await noteTestCall(slots.databaseOf(slotOfVerification(id)), id, seen).catch((err: unknown) =>
    log.warn({ vendor_id: id, err }, 'test call not noted'),
  )
}
