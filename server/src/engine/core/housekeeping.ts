// Creates and drops partitions and deletes old rows, every ten minutes. A step that fails is logged, counted and retried in
// the next round; the other steps still run.

import { type Database, inJob, type Session } from '../../db/core/database.ts'
import {
  type DailyTable,
  dropApiRequestHour,
  dropOldDay,
  forgetApiRequestCounts,
  forgetNumbers,
  forgetWebhooks,
  keepPartitions,
} from '../../db/core/housekeeping.ts'
import { forgetFraudHits } from '../../db/protection/fraud-hit.ts'
import { forgetPrefixUsage } from '../../db/protection/fraud-limit.ts'
import { forgetCallCounts } from '../../db/verifications/call-counts.ts'
import { forgetSipMessages } from '../../db/verifications/sip-message.ts'
import { msOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import { dayMs } from '../../domain/values/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'

type HousekeepingDeps = {
  readonly database: Database
  // In metrics and logs.
  readonly name: string
  readonly timeScale: number
  readonly verificationDays: number
  readonly ledgerDays: number
  readonly clock: Clock
  readonly events: Pick<Events, 'housekeepingFailed' | 'houseKept'>
  readonly log: Logger
}

const roundMs = 600_000
// Short transactions, so that no request waits long for a row being deleted.
const deleteMax = 5_000
const countDays = msOf(retention.callCounts.kept) / dayMs
// Of the table of numbers: a statement reads so many pages, with as many rows as are deleted at once, and a round a part of it, but
// no fewer than these. So numbers are kept for up to six hours longer than they need to be.
const numberPages = 200
const numberParts = 36

export async function keepHouse(deps: HousekeepingDeps, closing: AbortSignal): Promise<void> {
  const { name, clock, events, log } = deps
  const forgetNumbersOn = createForgetNumbers(deps)
  events.houseKept(name, 'never')
  while (!closing.aborted) {
    let failures = 0
    for (const [step, work] of stepsOf(deps, forgetNumbersOn, closing)) {
      if (closing.aborted) return
      try {
        await work()
      } catch (error) {
        failures += 1
        events.housekeepingFailed(step)
        log.warn({ err: error, step, database: name }, 'housekeeping step failed')
      }
    }
    if (failures === 0) events.houseKept(name, 'now')
    await clock.sleep(roundMs, closing)
  }
}

// At most one partition of each table is dropped per round.
function stepsOf(
  { database, name, verificationDays, ledgerDays, log }: HousekeepingDeps,
  forgetNumbersOn: (closing: AbortSignal) => Promise<void>,
  closing: AbortSignal,
): readonly (readonly [string, () => Promise<void>])[] {
  const drop = (once: (session: Session) => Promise<string | undefined>) => async () => {
    // The day's ledger is summed up first, which may take longer than a request's timeout.
    const dropped = await inJob(database, once)
    if (dropped !== undefined) log.info({ partition: dropped, database: name }, 'partition dropped')
  }
  const dropDay = (table: DailyTable, days: number) => drop((session) => dropOldDay(session, table, days))
  const forget = (once: () => Promise<number>) => async () => {
    while ((await once()) === deleteMax && !closing.aborted);
  }
  return [
    ['make-partitions', () => keepPartitions(database)],
    ['forget-numbers', () => forgetNumbersOn(closing)],
    ['forget-webhooks', forget(() => forgetWebhooks(database, deleteMax, verificationDays))],
    ['forget-prefix-usage', forget(() => forgetPrefixUsage(database, deleteMax))],
    ['forget-call-counts', forget(() => forgetCallCounts(database, deleteMax, verificationDays + countDays))],
    ['forget-fraud-hits', forget(() => forgetFraudHits(database, deleteMax))],
    ['forget-sip-messages', forget(() => forgetSipMessages(database, deleteMax))],
    ['forget-api-request-counts', forget(() => forgetApiRequestCounts(database, deleteMax))],
    ['drop-verifications', dropDay('verifications', verificationDays)],
    ['drop-ladders', dropDay('ladders', verificationDays)],
    ['drop-idempotency-keys', dropDay('idempotency_keys', verificationDays)],
    ['drop-ledger', dropDay('ledger', ledgerDays)],
    ['drop-api-requests', drop(dropApiRequestHour)],
  ]
}

// Each time goes on where the last one ended.
function createForgetNumbers({
  database,
  timeScale,
}: Pick<HousekeepingDeps, 'database' | 'timeScale'>): (closing: AbortSignal) => Promise<void> {
  let page = 0
  return async (closing) => {
    for (let read = 0; !closing.aborted; ) {
      const { nextPage, pages } = await forgetNumbers(database, page, numberPages, timeScale)
      page = nextPage
      read += numberPages
      if (page === 0 || read * numberParts >= pages) return
    }
  }
}
