// Test calls: a virtual phone stands behind each. Where no handset is real nothing is dialled, and everything after it is as for a
// call over a trunk. What the handset did is kept for the page that shows it.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readFaults, readPhone } from '../../db/phones/virtual-phone.ts'
import { noteTestCall } from '../../db/verifications/verification.ts'
import { slotOfVerification } from '../../domain/core/slot.ts'
import { changedCallerNumber } from '../../domain/numbers/test-number.ts'
import { simulateProgress, testNumberPhone, type VirtualPhone } from '../../domain/phones/virtual-phone.ts'
import { testTrunk } from '../../domain/trunks/trunk.ts'
import type { CallOrder, CallRoute } from '../../domain/verifications/call-order.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { NoteChange } from '../core/live-hints.ts'
import type { PlacedCall, PlaceOrder } from '../trunks/place-call.ts'

type Deps = {
  readonly slots: SlotMap
  readonly flashRingSeconds: number
  readonly clock: Clock
  readonly noteChange: NoteChange
  readonly log: Logger
}

// Orders that are no test, and those of real handsets, are handed to dial.
export function withTestPhones(deps: Deps, dial: PlaceOrder): PlaceOrder {
  return async (order, route, leftMs) => {
    if (!order.isTest) return dial(order, route, leftMs)
    const phone = await readTestPhone(deps, order)
    await noteShownCaller(deps, order, route, phone)
    const call = route.trunk === testTrunk ? simulateCall(deps, order, phone) : await dial(order, route, leftMs)
    const noted = call.answered.then((is) => (is ? noteAnswered(deps, order) : undefined))
    return { ...call, progress: Promise.all([call.progress, noted]).then(([progress]) => progress) }
  }
}

async function readTestPhone({ slots }: Deps, { number, mode, accountId }: CallOrder): Promise<VirtualPhone> {
  const known = testNumberPhone(number, mode)
  if (known) return known
  const [phone, faults] = await Promise.all([
    readPhone(slots.globalDatabase, number),
    readFaults(slots.globalDatabase, accountId),
  ])
  return { state: phone?.state ?? 'off', faults }
}

async function noteShownCaller(
  deps: Deps,
  order: CallOrder,
  { callerNumber }: CallRoute,
  { faults }: VirtualPhone,
): Promise<void> {
  if (!faults.has('changed-caller') || callerNumber === undefined) return
  await note(deps, order, { shownCaller: changedCallerNumber(callerNumber), isAnswered: false })
}

async function noteAnswered(deps: Deps, order: CallOrder): Promise<void> {
  await note(deps, order, { shownCaller: undefined, isAnswered: true })
  deps.noteChange(order.accountId, 'phones')
}

// Only for show: the call goes on without it.
async function note({ slots, log }: Deps, { id }: CallOrder, seen: Parameters<typeof noteTestCall>[2]): Promise<void> {
  await noteTestCall(slots.databaseOf(slotOfVerification(id)), id, seen).catch((err: unknown) =>
    log.warn({ vendor_id: id, err }, 'test call not noted'),
  )
}

function simulateCall({ clock, flashRingSeconds }: Deps, { mode }: CallOrder, phone: VirtualPhone): PlacedCall {
  const rang = Promise.withResolvers<boolean>()
  const answered = Promise.withResolvers<boolean>()
  const run = async () => {
    const progress = simulateProgress(phone, mode, flashRingSeconds * 1_000)
    const { rangAtMs, answeredAtMs, endedAtMs } = progress
    let atMs = 0
    const waitUntil = async (nextMs: number) => {
      await clock.sleep(nextMs - atMs, AbortSignal.any([]))
      atMs = nextMs
    }
    if (rangAtMs !== undefined) await waitUntil(rangAtMs)
    rang.resolve(rangAtMs !== undefined)
    if (answeredAtMs !== undefined) await waitUntil(answeredAtMs)
    answered.resolve(answeredAtMs !== undefined)
    await waitUntil(endedAtMs)
    return progress
  }
  return {
    rang: rang.promise,
    answered: answered.promise,
    progress: run(),
    messages: async () => [],
    messagesSoFar: () => [],
  }
}
