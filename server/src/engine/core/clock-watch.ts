// Compares PostgreSQL's clock with this machine's clock and with the database's last activity: at start and every minute.
// Either fault is logged every minute while it lasts and shows in the metrics.

import type { Database } from '../../db/core/database.ts'
import { measureClock } from '../../db/core/database-clock.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { clockOffsetMsMax } from '../../domain/installation/thresholds.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'

type ClockWatchDeps = {
  readonly slots: SlotMap
  readonly clock: Clock
  readonly events: Pick<Events, 'databaseClockMeasured'>
  readonly log: Logger
}

const intervalMs = 60_000

export function startClockWatch(deps: ClockWatchDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const watching = deps.slots.databases.map((database, index) => watch(deps, database, index, closing.signal))
  return {
    close: async () => {
      closing.abort()
      await Promise.all(watching)
    },
  }
}

async function watch(deps: ClockWatchDeps, database: Database, index: number, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    // An unreachable database is reported by the code that needs it.
    await compare(deps, database, index).catch(() => undefined)
    await deps.clock.sleep(intervalMs, closing)
  }
}

async function compare({ clock, events, log }: ClockWatchDeps, database: Database, index: number): Promise<void> {
  const { offsetMs, errorMs, leadSeconds, isTrusted } = await measureClock(database, clock)
  const offsetSeconds = Math.round(offsetMs) / 1_000
  events.databaseClockMeasured({ database: index, offsetSeconds, isTrusted })
  if (Math.abs(offsetMs) - errorMs > clockOffsetMsMax) {
    const fix = 'synchronise both machines with NTP'
    log.warn({ database: index, offset_seconds: offsetSeconds, fix }, 'database clock differs')
  }
  if (isTrusted) return
  const fix = 'set the clock right; if it is right, run: ringproof ids confirm-clock'
  log.error({ database: index, lead_seconds: leadSeconds, fix }, 'database clock jumped ahead')
}
