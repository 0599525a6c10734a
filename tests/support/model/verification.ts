// The life of a verification that calls out, as a pure function of its events. server/src/domain/verifications/verification.ts
// describes it; the SQL functions are what runs. tests/integration/model.test.ts compares the two after every step.

import type { CallMode } from '@ringproof/contract/methods.ts'
import { callDeadlineMs, startDeadlineMs } from '../../../server/src/domain/verifications/verification.ts'

export type VerificationState = {
  readonly state: 'accepted' | 'dialling' | 'succeeded' | 'failed'
  readonly mode: CallMode
  readonly attempt: number
  readonly rang: boolean
  readonly pinned: boolean
  readonly startUntilMs: number
  readonly endUntilMs: number
}

// An undo that knows the lease of the number comes from a dispatch that failed. One without comes from a request that lost
// the number to another call, so the call must not stay, pinned or not.
export type VerificationEvent =
  | { readonly type: 'claim'; readonly attempt: number; readonly atMs: number }
  | { readonly type: 'rang'; readonly attempt: number }
  | { readonly type: 'outcome'; readonly attempt: number; readonly succeeded: boolean }
  | { readonly type: 'overdue'; readonly atMs: number }
  | { readonly type: 'pin' }
  | { readonly type: 'undo'; readonly lostNumber: boolean }

export function accepted(mode: CallMode, atMs: number): VerificationState {
  return {
    state: 'accepted',
    mode,
    attempt: 0,
    rang: false,
    pinned: false,
    startUntilMs: atMs + startDeadlineMs,
    endUntilMs: atMs + callDeadlineMs,
  }
}

// The same object when the event changes nothing.
export function after(verification: VerificationState, event: VerificationEvent): VerificationState {
  if (isFinal(verification)) return verification
  switch (event.type) {
    case 'claim': {
      const isNext = event.attempt === verification.attempt + 1
      const mayStart = !verification.rang && event.atMs < verification.startUntilMs
      return isNext && mayStart ? { ...verification, state: 'dialling', attempt: event.attempt } : verification
    }
    case 'rang': {
      const isCurrent = verification.state === 'dialling' && verification.attempt === event.attempt
      return isCurrent && !verification.rang ? { ...verification, rang: true } : verification
    }
    case 'outcome':
      return verification.attempt === event.attempt ? ended(verification, event.succeeded) : verification
    case 'overdue':
      return isOverdue(verification, event.atMs) ? ended(verification, ringingIsEnough(verification)) : verification
    case 'pin':
      return verification.state === 'accepted' && !verification.pinned
        ? { ...verification, pinned: true }
        : verification
    case 'undo': {
      const mayUndo = verification.state === 'accepted' && (event.lostNumber || !verification.pinned)
      return mayUndo ? ended(verification, false) : verification
    }
  }
}

export function isFinal({ state }: VerificationState): boolean {
  return state === 'succeeded' || state === 'failed'
}

// An unclaimed call is given up as soon as it may not start any more.
export function isOverdue({ state, startUntilMs, endUntilMs }: VerificationState, atMs: number): boolean {
  return atMs >= (state === 'accepted' ? startUntilMs : endUntilMs)
}

function ended(verification: VerificationState, succeeded: boolean): VerificationState {
  return { ...verification, state: succeeded ? 'succeeded' : 'failed' }
}

// A voice call that rang has not spoken its code yet.
function ringingIsEnough({ mode, rang }: VerificationState): boolean {
  return rang && mode !== 'voice'
}
