// What a call came to. The switch tells a progress (rang, was answered, was spoken to, ended with a status); the decision is
// ours:
//
//   flash, mix   made when the phone rang for a second, or the subscriber rejected the ringing call. An announcement (183)
//                looks like nothing unless the trunk is set to count it; an answer without ringing was taken by something
//                that the subscriber never saw; ringing that breaks off at once was no ringing.
//   voice        made when somebody answered and heard the whole code once.
//
// A call that never rang and was refused for a reason of the carrier's own may be tried over the next trunk. Whatever says
// something about the subscriber is final: nobody is rung twice, and no number is tried out over all carriers.

import type { CallMode } from '@ringproof/contract/methods.ts'

// Moments are milliseconds since dialling began; undefined: it did not happen.
export type CallProgress = {
  readonly rangAtMs: number | undefined
  readonly earlyMediaAtMs: number | undefined
  readonly answeredAtMs: number | undefined
  readonly spokenAtMs: number | undefined
  readonly endedAtMs: number
  // The final SIP status of a call that was refused; undefined when we or they hung up, or nothing was ever heard.
  readonly status: number | undefined
  readonly endedBy: 'us' | 'them' | 'nobody'
}

export type CallOutcome = {
  readonly succeeded: boolean
  readonly reason: OutcomeReason
  readonly mayTryNextTrunk: boolean
}

export type OutcomeReason =
  | 'rang'
  | 'rejected'
  | 'spoken'
  | 'not-answered'
  | 'hung-up-early'
  | 'broke-off'
  | 'announcement'
  | 'answered-unseen'
  | 'no-ringing'
  | 'refused'
  | 'silence'

const ringingMsMin = 1_000
const rejections = new Set([486, 603])
const nextTrunkStatuses = new Set([401, 403, 407, 488, 500, 501, 502, 503, 504])

export function outcomeOf(mode: CallMode, progress: CallProgress, countsEarlyMedia: boolean): CallOutcome {
  const rangAtMs = progress.rangAtMs ?? (countsEarlyMedia ? progress.earlyMediaAtMs : undefined)
  const reason = mode === 'voice' ? voiceReason(progress) : flashReason(progress, rangAtMs)
  return {
    succeeded: successReasons.has(reason),
    reason,
    mayTryNextTrunk: rangAtMs === undefined && mayTryNext(progress),
  }
}

const successReasons = new Set<OutcomeReason>(['rang', 'rejected', 'spoken'])

function flashReason(progress: CallProgress, rangAtMs: number | undefined): OutcomeReason {
  if (rangAtMs === undefined) return unheardReason(progress)
  const ringingMs = Math.min(progress.answeredAtMs ?? progress.endedAtMs, progress.endedAtMs) - rangAtMs
  if (ringingMs >= ringingMsMin) return 'rang'
  return progress.status !== undefined && rejections.has(progress.status) ? 'rejected' : 'broke-off'
}

function voiceReason(progress: CallProgress): OutcomeReason {
  if (progress.spokenAtMs !== undefined) return 'spoken'
  if (progress.answeredAtMs !== undefined) return 'hung-up-early'
  return progress.rangAtMs === undefined ? unheardReason(progress) : 'not-answered'
}

function unheardReason(progress: CallProgress): OutcomeReason {
  if (progress.answeredAtMs !== undefined) return 'answered-unseen'
  if (progress.status !== undefined) return 'refused'
  if (progress.earlyMediaAtMs !== undefined) return 'announcement'
  return progress.endedBy === 'nobody' ? 'silence' : 'no-ringing'
}

// Silence is a carrier that is not there: the 408 that our own side makes up when no answer ever came.
function mayTryNext({ answeredAtMs, earlyMediaAtMs, status, endedBy }: CallProgress): boolean {
  if (answeredAtMs !== undefined || earlyMediaAtMs !== undefined) return false
  return status === undefined ? endedBy === 'nobody' : nextTrunkStatuses.has(status)
}
