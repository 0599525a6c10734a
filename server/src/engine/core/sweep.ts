// Ends overdue calls and inbound requests of one database, about once a second.

import { type Database, isLockTimeout } from '../../db/core/database.ts'
import { type Swept, sweepCalls, sweepInboundRequests } from '../../db/core/sweep.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { randomFraction } from '../../domain/crypto/random-fraction.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'

type SweepDeps = {
  readonly database: Database
  // In metrics and logs.
  readonly name: string
  readonly timeScale: number
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly clock: Clock
  readonly events: Pick<Events, 'swept' | 'sweepFailed'>
  readonly log: Logger
}

type Kind = 'calls' | 'inbound_requests'
type Sweep = (limit: number, account?: AccountId) => Promise<Swept>

const roundMs = 1_000
const endsMax = 500
// Each may take up to lock_timeout; five keep the next round on time.
const lockedAccountsMax = 5

export async function sweep(deps: SweepDeps, closing: AbortSignal): Promise<void> {
  const { database, name, timeScale, randomBytes, clock, events, log } = deps
  events.swept(name, 'never')
  while (!closing.aborted) {
    try {
      await sweepAll(deps, 'calls', (limit, account) => sweepCalls(database, limit, account), closing)
      await sweepAll(
        deps,
        'inbound_requests',
        (limit, account) => sweepInboundRequests(database, limit, timeScale, account),
        closing,
      )
      events.swept(name, 'now')
    } catch (error) {
      events.sweepFailed(name)
      log.warn({ err: error, database: name }, 'sweep failed')
    }
    // Jitter, so that several keepers do not sweep at the same moment.
    await clock.pause(roundMs * (0.5 + randomFraction(randomBytes)), closing)
  }
}

// Repeats until nothing more can be ended now: after an outage there may be many.
async function sweepAll(deps: SweepDeps, kind: Kind, once: Sweep, closing: AbortSignal): Promise<void> {
  let swept: Swept
  do {
    swept = await once(endsMax)
    logEnded(deps, kind, swept.ended)
  } while (swept.ended === endsMax && !closing.aborted)
  await sweepLocked(deps, kind, once, swept.skipped, closing)
}

// A busy account has its row locked most of the time and would be skipped for ever. So wait for its row, in a separate
// transaction; a row that stays locked is left for the next round.
async function sweepLocked(
  deps: SweepDeps,
  kind: Kind,
  once: Sweep,
  accounts: readonly AccountId[],
  closing: AbortSignal,
): Promise<void> {
  const first = Math.floor(randomFraction(deps.randomBytes) * accounts.length)
  for (const account of [...accounts.slice(first), ...accounts.slice(0, first)].slice(0, lockedAccountsMax)) {
    if (closing.aborted) return
    try {
      logEnded(deps, kind, (await once(endsMax, account)).ended)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      deps.log.warn({ account_id: account, database: deps.name }, 'account row locked')
    }
  }
}

function logEnded({ log, name }: SweepDeps, kind: Kind, ended: number): void {
  if (ended === 0) return
  if (kind === 'calls') log.info({ count: ended, database: name }, 'expired calls')
  else log.info({ count: ended, database: name }, 'expired inbound verifications')
}
