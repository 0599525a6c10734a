import type { CallMode } from '@ringproof/contract/methods.ts'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type RungCall, readRungCall } from '../../db/phones/phone-call.ts'
import { addPhones, readPhone, setFault, setPhoneState } from '../../db/phones/virtual-phone.ts'
import { readVerification } from '../../db/verifications/verification.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import {
  type AccountId,
  firstIdOfSecond,
  slotOfAccount,
  slotOfVerification,
  type VerificationId,
} from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import { isScenarioNumber, isTestNumber } from '../../domain/numbers/test-number.ts'
import { uncallable } from '../../domain/numbers/uncallable.ts'
import { type CommandPhone, phonesMax } from '../../domain/phones/virtual-phone.ts'
import { hourSeconds } from '../../domain/values/time.ts'
import type { Clock } from '../../process/clock.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly noteChange: (accountId: AccountId, topic: 'phones') => void
  readonly commandPhone: CommandPhone
  readonly keys: { readonly phoneTenant: KeyRing }
  // Reports that calls of the account have changed. A report may be lost, so the database is also read once a second.
  readonly watchCalls: (accountId: AccountId, onChange: () => void) => { readonly close: () => void }
  // In real time: a test waits as long as it says.
  readonly clock: Clock
}

// Gives the account a free scenario number. Too many: it has as many as it may, or all are taken.
export async function addPhone(
  { slots, noteChange }: Pick<Deps, 'slots' | 'noteChange'>,
  accountId: AccountId,
): Promise<WebOutput<'add-phone'>> {
  const number = await addPhones(slots.globalDatabase, accountId, { count: 1, max: phonesMax })
  if (number === undefined) throw new Denial('too-many')
  noteChange(accountId, 'phones')
  return { number }
}

// What the phone does with its next call. The two test numbers belong to everybody and cannot be set.
export async function setPhone(
  { slots, noteChange }: Pick<Deps, 'slots' | 'noteChange'>,
  accountId: AccountId,
  { number, state }: WebInput<'set-phone'>,
): Promise<void> {
  const isSet = await setPhoneState(slots.globalDatabase, accountId, number as PhoneNumber, state)
  if (!isSet) throw new Denial('not-found')
  noteChange(accountId, 'phones')
}

// What goes wrong with every call to a virtual phone of the account, and with its test webhooks, from the next one on.
export async function setPhoneFault(
  { slots, noteChange }: Pick<Deps, 'slots' | 'noteChange'>,
  accountId: AccountId,
  { fault, isOn }: WebInput<'set-phone-fault'>,
): Promise<void> {
  await setFault(slots.globalDatabase, accountId, fault, isOn)
  noteChange(accountId, 'phones')
}

// Calls from a phone of the account, as a subscriber calls a confirmation number. Responds with the SIP status of the end: 486
// for a confirmation number, matched or not, because the caller must not learn it; 404 for a number that is not ours.
export async function dialFromPhone(
  { slots, commandPhone }: Pick<Deps, 'slots' | 'commandPhone'>,
  accountId: AccountId,
  { number, called, callerId }: WebInput<'dial-from-phone'>,
): Promise<WebOutput<'dial-from-phone'>> {
  const phone = await readPhone(slots.globalDatabase, number as PhoneNumber)
  if (phone?.accountId !== accountId) throw new Denial('not-found')
  const reply = await commandPhone({ do: 'dial', number: phone.number, called, callerId })
  if (!reply) throw new Denial('unavailable')
  return reply
}

// Compares typed digits with the code of one of the account's own test calls. Real codes are checked by the customer's program.
export async function checkDigits(
  { slots }: Pick<Deps, 'slots'>,
  accountId: AccountId,
  { verificationId, digits }: { readonly verificationId: VerificationId; readonly digits: string },
): Promise<boolean> {
  if (slotOfVerification(verificationId) !== slotOfAccount(accountId)) throw new Denial('not-found')
  const found = await readVerification(slots.databaseOf(slotOfAccount(accountId)), verificationId)
  if (!found || found.accountId !== accountId || !found.isTest) throw new Denial('not-found')
  return found.code === digits
}

// Waits until a test number or a virtual phone of the account rings, for people's own end-to-end tests.

export type WaitCommand = {
  readonly number: PhoneNumber
  readonly timeoutSeconds: number
  // Calls up to this one do not count.
  readonly after: VerificationId
}

export type WaitedCall = {
  readonly status: true
  readonly vendor_id: VerificationId
  readonly number: PhoneNumber
  // The caller ID that the handset shows.
  readonly from: string
  readonly code: string
  readonly mode: CallMode
}

// A test starts the call and then begins to wait: the phone may ring meanwhile.
const rangBeforeSeconds = 5

const rereadMs = 1_000

// Undefined if nothing rang in time, or if the client has gone.
export async function waitForCall(
  deps: Pick<Deps, 'slots' | 'keys' | 'watchCalls' | 'clock'>,
  { accountId }: ApiClient,
  command: WaitCommand,
  gone: AbortSignal,
): Promise<WaitedCall | undefined> {
  const { slots, keys, clock } = deps
  const { number, timeoutSeconds, after } = command
  await refuseForeignPhone(deps, accountId, number)
  const database = slots.databaseOf(slotOfAccount(accountId))
  const phoneHashes = tenantHashes(keys.phoneTenant, accountId, number)
  const startedMs = clock.monotonicMs()
  // Of an hour at most: it bounds the partitions that are read.
  const hourAgo = firstIdOfSecond(Math.floor(clock.timeOfDayMs() / 1_000) - hourSeconds)
  const firstId = Math.max(after + 1, hourAgo)
  let changed = new AbortController()
  const watch = deps.watchCalls(accountId, () => changed.abort())
  try {
    for (;;) {
      changed = new AbortController()
      const elapsedSeconds = (clock.monotonicMs() - startedMs) / 1_000
      const rangSeconds = rangBeforeSeconds + elapsedSeconds
      const call = await readRungCall(database, accountId, { phoneHashes, firstId, rangSeconds })
      if (call) return toResponse(call, number)
      const leftMs = timeoutSeconds * 1_000 - (clock.monotonicMs() - startedMs)
      if (leftMs <= 0 || gone.aborted) return undefined
      await clock.sleep(Math.min(leftMs, rereadMs), AbortSignal.any([changed.signal, gone]))
    }
  } finally {
    watch.close()
  }
}

async function refuseForeignPhone(
  { slots }: Pick<Deps, 'slots' | 'keys' | 'watchCalls' | 'clock'>,
  accountId: AccountId,
  number: PhoneNumber,
): Promise<void> {
  if (isTestNumber(number)) return
  const phone = isScenarioNumber(number) ? await readPhone(slots.globalDatabase, number) : undefined
  if (phone?.accountId !== accountId) throw uncallable('notOwnPhone')
}

function toResponse({ id, shownCaller, code, mode }: RungCall, number: PhoneNumber): WaitedCall {
  return { status: true, vendor_id: id, number, from: String(shownCaller ?? ''), code: code ?? '', mode }
}
