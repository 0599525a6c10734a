// Waits until a test number or a virtual phone of the account rings, for people's own end-to-end tests.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type RungCall, readRungCall } from '../../db/phones/phone-call.ts'
import { readPhone } from '../../db/phones/virtual-phone.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { type AccountId, firstIdOfSecond, slotOfAccount, type VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import { isScenarioNumber, isTestNumber } from '../../domain/numbers/test-number.ts'
import { uncallable } from '../../domain/numbers/uncallable.ts'
import { hourSeconds } from '../../domain/values/time.ts'
import type { Clock } from '../../process/clock.ts'

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

type Deps = {
  readonly slots: SlotMap
  readonly keys: { readonly phoneTenant: KeyRing }
  // Reports that calls of the account have changed. A report may be lost, so the database is also read once a second.
  readonly watchCalls: (accountId: AccountId, onChange: () => void) => { readonly close: () => void }
  // In real time: a test waits as long as it says.
  readonly clock: Clock
}

// A test starts the call and then begins to wait: the phone may ring meanwhile.
const rangBeforeSeconds = 5
const rereadMs = 1_000

// Undefined if nothing rang in time, or if the client has gone.
export async function waitForCall(
  deps: Deps,
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

async function refuseForeignPhone({ slots }: Deps, accountId: AccountId, number: PhoneNumber): Promise<void> {
  if (isTestNumber(number)) return
  const phone = isScenarioNumber(number) ? await readPhone(slots.globalDatabase, number) : undefined
  if (phone?.accountId !== accountId) throw uncallable('notOwnPhone')
}

function toResponse({ id, shownCaller, code, mode }: RungCall, number: PhoneNumber): WaitedCall {
  return { status: true, vendor_id: id, number, from: String(shownCaller ?? ''), code: code ?? '', mode }
}
