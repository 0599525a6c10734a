// A ladder: one proof of one phone over several calls with one code. The verification of the Verify API is a ladder.
//
//   pending    It lives. At most one of its calls is being dialled; an inbound one may wait beside.
//   approved   A right code, or the subscriber's call. Final.
//   failed     Its checks are used up, no call can have delivered the code, or the number does not exist. Final.
//   expired    Its time is over. Final.
//   cancelled  By the customer. Final.
//
//   pending  — right code, while checks are left and a call was dialled →      approved
//   pending  — the subscriber's call →                                         approved
//   pending  — wrong code, checks left after it →                              pending
//   pending  — the last wrong code →                                           failed
//   pending  — the newest call failed, a mode is left →                        next call, at once
//   pending  — the newest call failed, no mode left, nothing delivered →       failed
//   pending  — the newest call reached the phone, the silence is over →        next call
//   pending  — somebody asks →                                                 next call
//   pending  — cancel →                                                        cancelled
//   pending  — its time is over →                                              expired
//
// A final state never changes: what comes late changes nothing, and no call is dialled after it. The SQL functions accept_ladders,
// accept_rung and check_ladder (functions/ladders.sql) are what runs.

import { ttlSecondsMax } from '@ringproof/contract/limits.ts'
import type { ladderReasons, ladderStates } from '@ringproof/contract/lists/calls.ts'
import type { PromptLanguage, ServiceMode } from '../accounts/modes.ts'
import type { AccountId, ServiceId, VerificationId } from '../core/slot.ts'
import { dayMs } from '../values/time.ts'
import type { CallRequest } from './call-request.ts'
import type { InboundRequest } from './inbound-request.ts'
import type { ShownCall } from './shown-call.ts'

export type LadderState = (typeof ladderStates)[number]

export type Ladder = {
  readonly id: VerificationId
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly state: LadderState
  readonly reason: (typeof ladderReasons)[number] | null
  readonly hasCode: boolean
  readonly modes: readonly ServiceMode[]
  readonly modesLeft: readonly ServiceMode[]
  readonly callIds: readonly VerificationId[]
  readonly checksMax: number
  readonly checks: number
  readonly language: PromptLanguage
  readonly skipped: readonly { readonly mode: ServiceMode; readonly code: string }[]
  readonly createdAt: Date
  readonly expiresAt: Date
  // By the database's clock.
  readonly leftMs: number
  readonly dueAt: Date
  readonly endedAt: Date | null
  readonly approvedCall: VerificationId | null
  // Of a test that is pending.
  readonly testCode: string | null
}

export type LadderCall = Omit<ShownCall, 'phoneMask'> & { readonly personSealed: Buffer; readonly endUntil: Date }

// A call of a ladder, but for its code and its webhook: the ladder has the code, and an approval is its own event.
export type RungRequest =
  | CallRequest
  | (Omit<InboundRequest, 'callbackSealed' | 'receiverDigest'> & Pick<CallRequest, 'keyDigests' | 'clientDigest'>)

// From the start; it is never extended.
export const ladderTimeMaxMs = ttlSecondsMax * 1_000

export const ladderCallsMax = 6

// The cooldown of a number is waived so often, each time after a call that disturbed nobody.
export const ladderWaiversMax = 2

// With less time left no call starts: nobody could type its code.
export const ladderLastCallMs = 30_000

// Wrong codes for one number and account in a day. Four digits carry little: the limits carry the rest.
export const guessesPerDay = 10

// Codes of a ladder may be checked until its end: it counts for so much longer than a day.
export const guessWindowMs = dayMs + ladderTimeMaxMs
