// A test call from the console. A process beside Asterisk places it; its progress is read with show-trunk-test.ts. The number goes
// there sealed, and is stored nowhere.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readLiveCallerRanges } from '../../db/trunks/caller-number.ts'
import { readTrunks } from '../../db/trunks/trunk.ts'
import {
  endTrunkTest,
  insertTrunkTest,
  readTrunkTest,
  answerTrunkTest as writeAnswer,
} from '../../db/trunks/trunk-test.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { describeNumber } from '../../domain/numbers/number-plan.ts'
import { emptyNumberingIndex } from '../../domain/numbers/numbering-index.ts'
import { mask, type PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { anyNumber } from '../../domain/trunks/caller-pool.ts'
import { carries, type Trunk } from '../../domain/trunks/trunk.ts'
import type { CallProgress } from '../../domain/verifications/call-outcome.ts'
import { fillPlaceholders, firstLineOf } from '../../domain/verifications/sip-message.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly dispatchTrunkTest: DispatchTrunkTest
  // Places one flash call over this machine's switch and follows it to its end.
  readonly placeTestCall: (call: TestCall) => Promise<CallProgress>
}

// Undefined: no process that could place the call.
export type DispatchTrunkTest = (test: { readonly id: number; readonly sealedPhone: string }) => Promise<boolean>

type Command = { readonly name: string; readonly phone: string; readonly callerNumber: string }

export async function startTrunkTest(
  deps: Pick<Deps, 'slots' | 'recordKeys' | 'randomBytes' | 'dispatchTrunkTest'>,
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

// Whether the caller ID arrived as it was sent.
export async function answerTrunkTest(
  { slots }: Pick<Deps, 'slots'>,
  { id, digits }: { readonly id: number; readonly digits: string },
): Promise<{ readonly isIntact: boolean }> {
  await writeAnswer(slots.globalDatabase, id, digits)
  const test = await readTrunkTest(slots.globalDatabase, id)
  if (!test) throw new Denial('not-found')
  return { isIntact: test.seenDigits === String(test.callerNumber).slice(-4) }
}

// A test call while it lasts and afterwards. Which digits were sent is shown after the operator has said which arrived.

export async function showTrunkTest({ slots }: Pick<Deps, 'slots'>, id: number): Promise<WebOutput<'trunk-test'>> {
  const test = await readTrunkTest(slots.globalDatabase, id)
  if (!test) throw new Denial('not-found')
  const { phoneMask, callerNumber, createdAt, endedAt, rangAfterMs, outcome, status, seenDigits } = test
  const sentDigits = seenDigits === null ? null : String(callerNumber).slice(-4)
  const firstMs = test.messages[0]?.atMs ?? 0
  return {
    id,
    phone: phoneMask,
    rangAfterMs,
    outcome,
    status,
    seenDigits,
    sentDigits,
    startedAt: createdAt.getTime(),
    endedAt: endedAt?.getTime() ?? null,
    messages: test.messages.map(({ atMs, isSent, text }) => {
      const shown = fillPlaceholders(text, phoneMask, sentDigits ?? undefined)
      return { sinceMs: Math.round(atMs - firstMs), isSent, line: firstLineOf(shown), text: shown }
    }),
  }
}

export type TestCall = { readonly trunk: Trunk; readonly to: PhoneNumber; readonly from: PhoneNumber }

type TestTrunkCommand = { readonly name: string; readonly to: PhoneNumber; readonly from: PhoneNumber | undefined }

type Tested = TestCall & { readonly progress: CallProgress }

// Places one test call: not charged, not limited, not stored. Its caller ID is the trunk's first number for the country,
// unless --from gives another.
export async function testTrunk(
  deps: Pick<Deps, 'slots' | 'placeTestCall'>,
  command: TestTrunkCommand,
): Promise<Tested> {
  const call = await chooseTestCall(deps, command, 0)
  return { ...call, progress: await deps.placeTestCall(call) }
}

// The random fraction in [0, 1) chooses among the numbers of a range.
async function chooseTestCall(
  { slots }: Pick<Deps, 'slots'>,
  { name, to, from }: TestTrunkCommand,
  random: number,
): Promise<TestCall> {
  const { globalDatabase } = slots
  const [trunks, ranges] = await Promise.all([readTrunks(globalDatabase), readLiveCallerRanges(globalDatabase)])
  const trunk = trunks.find((known) => known.name === name)
  if (!trunk) throw new UsageError(`Trunk ${name} does not exist. \`ringproof trunks list\` shows all trunks.`)
  if (!carries(trunk, to)) {
    throw new UsageError(
      trunk.isTest
        ? `Trunk ${name} is the test trunk: --to takes a virtual phone, 79000001000 to 79000009999.`
        : 'Virtual phones are reached only over the test trunk.',
    )
  }
  // Only the country is needed, and the numbering plans know it without registry data.
  const { country } = describeNumber(to, emptyNumberingIndex)
  const numbers = ranges.filter((range) => range.trunk === name)
  const range = numbers.find((one) => one.country === country) ?? numbers[0]
  const callerId = from ?? (range && (String(anyNumber([range], random)) as PhoneNumber))
  if (callerId === undefined)
    throw new UsageError(`Trunk ${name} has no caller numbers. Set the caller ID with --from.`)
  return { trunk, to, from: callerId }
}
