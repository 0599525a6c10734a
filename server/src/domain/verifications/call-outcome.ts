// The outcome of a call. The switch reports its progress (rang, answered, code spoken, ended with a status); we decide:
//
//   flash, mix   succeeded if the phone rang for a second, or the subscriber rejected the ringing call. Early media (183)
//                does not count unless the trunk is set to count it. An answer without ringing comes from a machine, not
//                from the subscriber's phone. Ringing for less than a second does not count.
//   voice        succeeded if the call was answered and the whole code was spoken once.
//
// A call that never rang and was refused for a carrier's reason may be tried over the next trunk. A result that says
// something about the subscriber is final: no phone rings twice, and no number is probed over all carriers.

import type { enders } from '@ringproof/contract/lists/calls.ts'
import type { CallMode } from '@ringproof/contract/methods.ts'

// Times are milliseconds since dialling; undefined if it did not happen.
export type CallProgress = {
  readonly rangAtMs: number | undefined
  readonly earlyMediaAtMs: number | undefined
  readonly answeredAtMs: number | undefined
  readonly spokenAtMs: number | undefined
  readonly endedAtMs: number
  // The final SIP status of a refused call; undefined if either side hung up or there was no reply.
  readonly status: number | undefined
  readonly endedBy: Ender
}

export type Ender = (typeof enders)[number]

// Of one attempt: a call that failed on one trunk may go to the next.
export type AttemptOutcome = 'succeeded' | 'failed' | 'next-trunk'

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
  if (rangAtMs === undefined) return notRungReason(progress)
  const ringingMs = Math.min(progress.answeredAtMs ?? progress.endedAtMs, progress.endedAtMs) - rangAtMs
  if (ringingMs >= ringingMsMin) return 'rang'
  return progress.status !== undefined && rejections.has(progress.status) ? 'rejected' : 'broke-off'
}

function voiceReason(progress: CallProgress): OutcomeReason {
  if (progress.spokenAtMs !== undefined) return 'spoken'
  if (progress.answeredAtMs !== undefined) return 'hung-up-early'
  return progress.rangAtMs === undefined ? notRungReason(progress) : 'not-answered'
}

function notRungReason(progress: CallProgress): OutcomeReason {
  if (progress.answeredAtMs !== undefined) return 'answered-unseen'
  if (progress.status !== undefined) return 'refused'
  if (progress.earlyMediaAtMs !== undefined) return 'announcement'
  return progress.endedBy === 'nobody' ? 'silence' : 'no-ringing'
}

// No reply at all means the carrier is unreachable: the 408 that our side generates when timer B expires.
function mayTryNext({ answeredAtMs, earlyMediaAtMs, status, endedBy }: CallProgress): boolean {
  if (answeredAtMs !== undefined || earlyMediaAtMs !== undefined) return false
  return status === undefined ? endedBy === 'nobody' : nextTrunkStatuses.has(status)
}
