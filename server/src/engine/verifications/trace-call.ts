// The span of one attempt of a call. Its events come from the progress that the switch reported.

import type { CallOrder } from '../../domain/verifications/call-order.ts'
import type { CallOutcome, CallProgress } from '../../domain/verifications/call-outcome.ts'
import type { Clock } from '../../process/clock.ts'
import type { Span, SpanEvent } from '../../process/traces/traces.ts'

// To be called when the call has ended: times of the progress are durations since dialling, in product time.
export function inviteSpan(
  clock: Clock,
  { attempt, mode }: CallOrder,
  trunk: string,
  progress: CallProgress,
  { succeeded, reason }: CallOutcome,
): Span {
  const endedMs = clock.monotonicMs()
  const startedMs = endedMs - clock.scaledMs(progress.endedAtMs)
  const { status, endedBy } = progress
  return {
    name: 'INVITE',
    startedMs,
    endedMs,
    isFailed: !succeeded,
    attributes: {
      attempt,
      mode,
      trunk,
      outcome: succeeded ? 'succeeded' : 'failed',
      reason,
      sip_status: status,
      ended_by: endedBy,
    },
    events: eventsOf(progress).map(({ name, atMs }) => ({ name, atMs: startedMs + clock.scaledMs(atMs) })),
  }
}

function eventsOf(progress: CallProgress): readonly SpanEvent[] {
  const times: readonly [SpanEvent['name'], number | undefined][] = [
    ['ringing', progress.rangAtMs],
    ['early media', progress.earlyMediaAtMs],
    ['answered', progress.answeredAtMs],
    ['code spoken', progress.spokenAtMs],
    ['ended', progress.endedAtMs],
  ]
  return times
    .flatMap(([name, atMs]) => (atMs === undefined ? [] : [{ name, atMs }]))
    .toSorted((a, b) => a.atMs - b.atMs)
}
