// The life of a verification that calls out.
//
//   accepted    The price is held and the number's limits are taken. The call must start within ten seconds.
//   dialling    A worker has claimed attempt n; only that worker dials it, and it is never dialled again, whatever becomes
//               of the worker. An attempt that never rang may be followed by the next one, over another trunk, while the
//               call may still start. From the first ringing on there is no further attempt.
//   made        The call was made; the hold is captured. Final.
//   failed      The call was not made; the hold is released. Final.
//
//   accepted, dialling n-1  — claim n, never rang, before startUntil →  dialling n
//   dialling n              — rings →                                   dialling n, rang
//   dialling n              — its outcome →                             made or failed
//   accepted                — undo, or no claim by startUntil →         failed
//   dialling n              — nothing heard by endUntil →               made if it rang and was no voice call, else failed
//
// A final state never changes; what comes late, twice or from another attempt changes nothing. The database's functions
// are this machine in SQL, a set of rows at a time; tests hold the two against each other.

import type { CallMode } from '@ringproof/contract/methods.ts'

export type VerificationState = {
  readonly state: 'accepted' | 'dialling' | 'succeeded' | 'failed'
  readonly mode: CallMode
  readonly attempt: number
  readonly rang: boolean
  readonly startUntilMs: number
  readonly endUntilMs: number
}

export type VerificationEvent =
  | { readonly type: 'claim'; readonly attempt: number; readonly atMs: number }
  | { readonly type: 'rang'; readonly attempt: number }
  | { readonly type: 'outcome'; readonly attempt: number; readonly succeeded: boolean }
  | { readonly type: 'overdue'; readonly atMs: number }
  | { readonly type: 'undo' }

export const startDeadlineMs = 10_000
export const callDeadlineMs = 55_000
export const ringTimeoutMs = 20_000

export function accepted(mode: CallMode, atMs: number): VerificationState {
  return {
    state: 'accepted',
    mode,
    attempt: 0,
    rang: false,
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
    case 'rang':
      return isCurrent(verification, event.attempt) && !verification.rang
        ? { ...verification, rang: true }
        : verification
    case 'outcome':
      return isCurrent(verification, event.attempt) ? ended(verification, event.succeeded) : verification
    case 'overdue':
      return isOverdue(verification, event.atMs) ? ended(verification, rangIsEnough(verification)) : verification
    case 'undo':
      return verification.state === 'accepted' ? ended(verification, false) : verification
  }
}

export function isFinal({ state }: VerificationState): boolean {
  return state === 'succeeded' || state === 'failed'
}

// One that nobody has claimed is given up as soon as it may not start any more.
export function isOverdue({ state, startUntilMs, endUntilMs }: VerificationState, atMs: number): boolean {
  return atMs >= (state === 'accepted' ? startUntilMs : endUntilMs)
}

function isCurrent({ state, attempt }: VerificationState, ofAttempt: number): boolean {
  return state === 'dialling' && attempt === ofAttempt
}

function ended(verification: VerificationState, succeeded: boolean): VerificationState {
  return { ...verification, state: succeeded ? 'succeeded' : 'failed' }
}

// A voice call that rang has said nothing yet.
function rangIsEnough({ mode, rang }: VerificationState): boolean {
  return rang && mode !== 'voice'
}
