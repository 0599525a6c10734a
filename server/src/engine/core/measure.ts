// Reads what a database has in progress and what is late, for the metrics, every 15 seconds.

import type { Database } from '../../db/core/database.ts'
import { measureDatabase } from '../../db/core/housekeeping.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'

type MeasureDeps = {
  readonly database: Database
  // In metrics and logs.
  readonly name: string
  readonly clock: Clock
  readonly events: Pick<Events, 'databaseMeasured'>
  readonly log: Logger
}

const roundMs = 15_000

export async function measure(
  { database, name, clock, events, log }: MeasureDeps,
  closing: AbortSignal,
): Promise<void> {
  while (!closing.aborted) {
    try {
      const measured = await measureDatabase(database)
      events.databaseMeasured(name, {
        heldAmount: toDecimal(measured.held as MicroAmount),
        activeVerifications: measured.active,
        activeInboundRequests: measured.inbound,
        overdueVerifications: measured.overdue,
        overdueSeconds: measured.overdueSeconds,
        dueWebhooks: measured.webhooksDue,
        webhookDelaySeconds: measured.webhookSeconds,
      })
    } catch (error) {
      log.warn({ err: error, database: name }, 'measuring failed')
    }
    await clock.pause(roundMs, closing)
  }
}
