// Creates and drops partitions and deletes old rows, every ten minutes. A step that fails is logged, counted and retried in
// the next round; the other steps still run.

import type { Clock } from '../clock.ts'
import { type Database, inJob } from '../db/database.ts'
import { forgetFraudHits } from '../db/fraud-hit.ts'
import { dropOldDay, forgetNumbers, forgetWebhooks, keepPartitions } from '../db/housekeeping.ts'
import { forgetPrefixUsage } from '../db/prefix-usage.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'

export type HousekeepingDeps = {
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

export async function keepHouse(deps: HousekeepingDeps, closing: AbortSignal): Promise<void> {
  const { name, clock, events, log } = deps
  events.houseKept(name, 'never')
  while (!closing.aborted) {
    let failures = 0
    for (const [step, work] of stepsOf(deps, closing)) {
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

// At most one day of each table is dropped per round.
function stepsOf(
  { database, name, timeScale, verificationDays, ledgerDays, log }: HousekeepingDeps,
  closing: AbortSignal,
): readonly (readonly [string, () => Promise<void>])[] {
  const drop = (table: 'verifications' | 'idempotency_keys' | 'ledger', days: number) => async () => {
    // The day's ledger is summed up first, which may take longer than a request's timeout.
    const dropped = await inJob(database, (session) => dropOldDay(session, table, days))
    if (dropped !== undefined) log.info({ partition: dropped, database: name }, 'partition dropped')
  }
  const forget = (once: () => Promise<number>) => async () => {
    while ((await once()) === deleteMax && !closing.aborted);
  }
  return [
    ['make-partitions', () => keepPartitions(database)],
    ['forget-numbers', forget(() => forgetNumbers(database, deleteMax, timeScale))],
    ['forget-webhooks', forget(() => forgetWebhooks(database, deleteMax, verificationDays))],
    ['forget-prefix-usage', forget(() => forgetPrefixUsage(database, deleteMax))],
    ['forget-fraud-hits', forget(() => forgetFraudHits(database, deleteMax))],
    ['drop-verifications', drop('verifications', verificationDays)],
    ['drop-idempotency-keys', drop('idempotency_keys', verificationDays)],
    ['drop-ledger', drop('ledger', ledgerDays)],
  ]
}
