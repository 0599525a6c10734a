// Ends what is overdue, and keeps house: one leader a database, by an advisory lock that its session holds. Two leaders
// would do no harm, because every act compares and sets; one is enough.

import type { Clock } from '../clock.ts'
import { endOverdueCalls } from '../db/call.ts'
import type { Database } from '../db/database.ts'
import { tryLead } from '../db/leadership.ts'
import { dropOldPartitions, makePartitions } from '../db/partitions.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { forgetOldNumbers } from '../db/subscriber-number.ts'
import { endOverdueWaits } from '../db/wait.ts'
import { forgetOldWebhooks } from '../db/webhook.ts'
import type { Logger } from '../log.ts'

export type KeeperDeps = {
  readonly slots: SlotMap
  readonly timeScale: number
  readonly verificationDays: number
  readonly ledgerDays: number
  readonly clock: Clock
  readonly log: Logger
}

const roundMs = 1_000
const retryMs = 2_000
const roundsBetweenHousekeeping = 600

export function openKeeper(deps: KeeperDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const loops = deps.slots.databases.map((database) => keep(deps, database, closing.signal))
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}

async function keep(deps: KeeperDeps, database: Database, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    try {
      await tryLead(database, 'keeper', (isLeading) => rounds(deps, database, closing, isLeading))
    } catch (error) {
      deps.log.warn({ err: error }, 'the keeper lost its database')
    }
    await deps.clock.sleep(retryMs, closing)
  }
}

// From the first id on, so that whatever an outage left open is found; then from where open ones begin.
async function rounds(
  deps: KeeperDeps,
  database: Database,
  closing: AbortSignal,
  isLeading: () => boolean,
): Promise<void> {
  let lowWater = 0
  for (let round = 0; !closing.aborted && isLeading(); round++) {
    if (round % roundsBetweenHousekeeping === 0) {
      await makePartitions(database)
      await forgetOldNumbers(database, deps.timeScale)
      await forgetOldWebhooks(database, deps.verificationDays)
      const dropped = await dropOldPartitions(database, deps.verificationDays, deps.ledgerDays)
      if (dropped.length > 0) deps.log.info({ dropped }, 'old days dropped')
    }
    const swept = await endOverdueCalls(database, lowWater)
    lowWater = swept.lowWater
    if (swept.ended > 0) deps.log.info({ ended: swept.ended }, 'overdue calls ended')
    const ended = await endOverdueWaits(database, deps.timeScale)
    if (ended > 0) deps.log.info({ ended }, 'waits ended without a call')
    await deps.clock.sleep(roundMs, closing)
  }
}
