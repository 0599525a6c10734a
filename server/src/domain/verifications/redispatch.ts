import type { VerificationState } from './verification.ts'

// How long the first request may take from the database to the call queue. Until then it is still at work, and a second
// dispatch would only be a duplicate.
const dispatchDeadlineMs = 1_000

type ReplayedCall = { readonly state: VerificationState; readonly acceptedAgoMs: number }

// Whether a retry dispatches the call again: no worker has claimed it, and the process that accepted it has had its time.
export function mustRedispatch({ state, acceptedAgoMs }: ReplayedCall, timeScale: number): boolean {
  return state === 'accepted' && acceptedAgoMs > dispatchDeadlineMs * timeScale
}
