// The states of an inbound request, a verification that waits for the subscriber's call.
//
//   accepted    The price is held. The subscriber got one of our confirmation numbers, which no other active request for
//               this subscriber uses. It stays active for the time set by its service.
//   succeeded   The right phone called that number in time: the hold is captured and the webhook is due. Final.
//   failed      No call came in time; the hold is released. Final.
//
//   accepted  — a matching call in time →  succeeded
//   accepted  — the time is over →         failed
//
// A call matches by the called number and the caller only, and matches one request. A late or second call changes nothing.

import type { AccountId, ServiceId } from '../core/slot.ts'
import type { MicroAmount } from '../money/money.ts'
import type { PhoneInfo } from '../numbers/number-info.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import { secondsOf } from '../values/period.ts'
import { retention } from '../values/retention.ts'

// What the database is asked to start.
export type InboundRequest = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly phoneHash: Buffer
  readonly personSealed: Buffer
  readonly country: string
  readonly phoneInfo: PhoneInfo | undefined
  readonly price: MicroAmount
  readonly hourMax: number | null
  readonly dayMax: number | null
  readonly spendMax: MicroAmount | null
  // Undefined when another database keeps the opt-outs of the number.
  readonly optOutDigest: Buffer | undefined
  // Under every key that may still be in use, the active one first.
  readonly subscriberHashes: readonly Buffer[]
  readonly candidates: readonly { readonly number: number; readonly trunk: string }[]
  readonly callbackSealed: Buffer
  readonly receiverDigest: Buffer
  readonly inboundSeconds: number
  readonly testCallSeconds: number | undefined
}

// Active requests for one subscriber: of one service, and of one account. start_inbound_request has the same constants.
export const inboundRequestsMax = 5
export const inboundRequestsPerAccountMax = 10

// How long the number of a matched call is kept, sealed, for its webhook; then it is erased.
export const numberLifeSeconds = secondsOf(retention.callerNumbers.kept)

// The test number that succeeds "calls" after this; the one that fails never does.
export function testCallSeconds(number: PhoneNumber): number | undefined {
  return number === callingTestNumber ? 2 : undefined
}

// The test number is not secret, so it takes no room in the vault: this name stands for it.
export const testVaultName = 'test-number'

export const callingTestNumber = '79000000001' as PhoneNumber
