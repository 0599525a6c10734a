// The life of a verification that waits for the subscriber's call.
//
//   accepted    The price is held. The subscriber was told one of our numbers, and no other open wait for this subscriber
//               has it. The wait is open for as long as its service says.
//   made        The call came to that number, from the right phone, in time: the hold is captured, and the webhook is due
//               from the same moment. Final.
//   failed      Nobody called in time; the hold is released. Final.
//
//   accepted  — a call that matches, before the wait is over →  made
//   accepted  — the wait is over →                              failed
//
// A call matches by two things alone: the number that was called, and who calls. It proves one wait. What comes late, or
// a second time, changes nothing.

import type { MicroRoubles } from '../money/money.ts'
import type { PhoneInfo } from '../numbers/number-info.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import type { AccountId, ServiceId } from '../slot.ts'

// What the database is asked to start.
export type InboundRequest = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly phoneHash: Buffer
  readonly personSealed: Buffer
  readonly country: string
  readonly phoneInfo: PhoneInfo | undefined
  readonly price: MicroRoubles
  readonly hourMax: number | null
  readonly dayMax: number | null
  readonly spendMax: MicroRoubles | null
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

// How long the number of a call that matched is kept, sealed, for its webhook; then it is erased.
export const numberLifeSeconds = 30 * 60

// The test number that succeeds calls by itself after this; the one that fails never does.
export function testCallSeconds(number: PhoneNumber): number | undefined {
  return number === callingTestNumber ? 2 : undefined
}

// Its number is no secret, so it takes no room in the vault: this name stands for it.
export const testVaultName = 'test-number'

export const callingTestNumber = '79000000001' as PhoneNumber
