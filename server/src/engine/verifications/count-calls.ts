// Counts the calls of minutes that are over, for statistics. Any number of keepers may run it: each minute is counted once.
// Without it statistics stay right, but are read from the verifications, which is slow.

import { type Database, inJob } from '../../db/core/database.ts'
import { countCalls } from '../../db/verifications/call-counts.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'

type CountCallsDeps = {
  readonly database: Database
  // In metrics and logs.
  readonly name: string
  readonly clock: Clock
  readonly events: Pick<Events, 'housekeepingFailed'>
  readonly log: Logger
}

const roundMs = 10_000
// One transaction each: after an outage there may be many.
const minutesMax = 60

export async function keepCounts(
  { database, name, clock, events, log }: CountCallsDeps,
  closing: AbortSignal,
): Promise<void> {
  while (!closing.aborted) {
    try {
      while ((await inJob(database, (session) => countCalls(session, minutesMax))) === minutesMax && !closing.aborted);
    } catch (error) {
      events.housekeepingFailed('count-calls')
      log.warn({ err: error, step: 'count-calls', database: name }, 'housekeeping step failed')
    }
    await clock.pause(roundMs, closing)
  }
}
