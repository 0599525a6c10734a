// A test call from the console. A process beside Asterisk places it; its progress is read with show-trunk-test.ts. The number goes
// there sealed, and is stored nowhere.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { endTrunkTest, insertTrunkTest } from '../../db/trunks/trunk-test.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { mask, type PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { Denial } from '../../process/errors.ts'
import { chooseTestCall } from './test-trunk.ts'

// Undefined: no process that could place the call.
export type DispatchTrunkTest = (test: { readonly id: number; readonly sealedPhone: string }) => Promise<boolean>

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly dispatchTrunkTest: DispatchTrunkTest
}
type Command = { readonly name: string; readonly phone: string; readonly callerNumber: string }

export async function startTrunkTest(
  deps: Deps,
  actor: Actor,
  { name, phone, callerNumber }: Command,
): Promise<{ readonly id: number }> {
  const { slots, recordKeys, randomBytes } = deps
  const to = numberIn(phone)
  if (to === undefined) throw new Denial('invalid', ['phone'])
  const from = callerNumber.trim() === '' ? undefined : numberIn(callerNumber)
  if (from === undefined && callerNumber.trim() !== '') throw new Denial('invalid', ['callerNumber'])
  // Any of the trunk's numbers: the digits on the phone must not be known before.
  const random = Buffer.from(randomBytes(6)).readUIntBE(0, 6) / 2 ** 48
  const call = await chooseTestCall({ slots }, { name, to, from }, random).catch(() => {
    throw new Denial('invalid', ['callerNumber'])
  })
  const id = await inTransaction(slots.globalDatabase, async (session) => {
    await logAction(session, actor, { accountId: null, action: 'trunk tested', details: { name, phone: mask(to) } })
    return insertTrunkTest(session, { trunk: name, phoneMask: mask(to), callerNumber: Number(call.from) })
  })
  const sealed = seal(recordKeys, 'trunk-test', id, to, randomBytes(nonceBytes))
  if (await deps.dispatchTrunkTest({ id, sealedPhone: sealed.toString('base64') })) return { id }
  const nothing = { id, rangAfterMs: null, messages: [], status: null }
  await endTrunkTest(slots.globalDatabase, { ...nothing, outcome: 'no-node' })
  throw new Denial('unavailable')
}

function numberIn(text: string): PhoneNumber | undefined {
  const digits = text.replaceAll(/[\s()+.-]/g, '')
  return /^[1-9]\d{6,14}$/.test(digits) ? (digits as PhoneNumber) : undefined
}
