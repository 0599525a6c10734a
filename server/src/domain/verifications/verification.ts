// The life of a verification that calls out.
//
//   accepted    The price is held and the number is leased. The call must start within ten seconds.
//   dialling    A worker has claimed attempt n; only that worker dials it, and it is never dialled again, even when the worker
//               dies. An attempt that never rang may be followed by the next one, over another trunk, while the call may
//               still start. Once the phone has rung there is no further attempt.
//   succeeded   The call was made; the hold is captured. Final.
//   failed      The call was not made; the hold is released. Final.
//
//   accepted, dialling n-1  — claim n, never rang, before the start deadline →  dialling n
//   dialling n              — rings →                                           dialling n, rang
//   dialling n              — its outcome →                                     succeeded or failed
//   accepted                — a retry has returned it →                         accepted, pinned
//   accepted, not pinned    — undo →                                            failed
//   accepted                — undo because another call has the number →        failed
//   accepted                — no claim by the start deadline →                  failed
//   dialling n              — no end by the call deadline →                     succeeded if it rang and is no voice call,
//                                                                               else failed
//
// A final state never changes. A late event, a repeated one, or one of another attempt changes nothing.
//
// The SQL functions in db/functions/ are what runs. tests/support/model/ states the same rules once more, and
// tests/integration/model.test.ts compares both after every random step.

import type { verificationStates } from '@ringproof/contract/lists/calls.ts'
import { type MicroAmount, zeroMoney } from '../money/money.ts'
import type { OutcomeReason } from './call-outcome.ts'

export type VerificationState = (typeof verificationStates)[number]

export const startDeadlineMs = 10_000

export const callDeadlineMs = 55_000

export const ringTimeoutMs = 20_000

// A voice or mix call may ring for so long.
export const answerTimeoutMs = 25_000

// Between claim and dial a worker may be frozen or its database slow. A call dialled after the start deadline comes too late
// for the person, and near the call deadline its hold may be gone. The two seconds for a claim made just before the deadline
// bound slow machines, so timeScale does not apply to them.
const claimMaxMs = 2_000

// ageMs: from the accept to the claim; sinceMs: from there to now.
export function isTooLateToDial(ageMs: number, sinceMs: number, timeScale: number): boolean {
  return sinceMs > claimMaxMs && ageMs + sinceMs > startDeadlineMs * timeScale
}

// How long the first request may take from the database to the call queue. Until then it is still at work, and a second
// dispatch would only be a duplicate.
const dispatchDeadlineMs = 1_000

type ReplayedCall = { readonly state: VerificationState; readonly acceptedAgoMs: number }

// Whether a retry dispatches the call again: no worker has claimed it, and the process that accepted it has had its time.
export function mustRedispatch({ state, acceptedAgoMs }: ReplayedCall, timeScale: number): boolean {
  return state === 'accepted' && acceptedAgoMs > dispatchDeadlineMs * timeScale
}

// What a verification cost. A failed call is free, unless the tariff charges failed calls. Even then a call that never reached
// a carrier is free: it did not happen.

// Outcomes of calls that a carrier has taken. In SQL: charged_failures() in db/functions/rules.sql.
export const chargedFailures: readonly OutcomeReason[] = [
  'not-answered',
  'hung-up-early',
  'broke-off',
  'announcement',
  'answered-unseen',
  'no-ringing',
  'refused',
]

type EndedCall = {
  readonly state: VerificationState
  readonly price: MicroAmount
  readonly chargesFailed: boolean
  readonly reason: string | null
}

// The price while the call is in progress: it is held.
export function chargeOf({ state, price, chargesFailed, reason }: EndedCall): MicroAmount {
  if (state !== 'failed') return price
  return chargesFailed && (chargedFailures as readonly (string | null)[]).includes(reason) ? price : zeroMoney
}
