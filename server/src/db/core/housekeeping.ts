// The housekeeping steps (functions/housekeeping.sql). Each is a single statement, so that it commits or fails even if its
// client dies. A step does nothing while another keeper runs one.

import type { Session } from './database.ts'

export async function keepPartitions(session: Session): Promise<void> {
  await session.query('SELECT keep_partitions($1)', [daysAhead])
}

// drop_old_partition() refuses every other one.
export type DailyTable = 'verifications' | 'ladders' | 'idempotency_keys' | 'ledger'

// Drops one old partition, after summing up its ledger by day. Returns the partition's name.
export async function dropOldDay(session: Session, table: DailyTable, days: number): Promise<string | undefined> {
  const { rows } = await session.query<{ name: string | null }>('SELECT keep_days($1, $2) AS name', [table, days])
  return rows[0]?.name ?? undefined
}

type NumberPages = { readonly forgotten: number; readonly nextPage: number; readonly pages: number }

export async function forgetNumbers(
  session: Session,
  page: number,
  pages: number,
  timeScale: number,
): Promise<NumberPages> {
  const { rows } = await session.query<NumberPages>(
    'SELECT forgotten, next_page AS "nextPage", pages FROM forget_numbers($1, $2, $3)',
    [page, pages, timeScale],
  )
  return rows[0] ?? { forgotten: 0, nextPage: 0, pages: 0 }
}

export async function forgetWebhooks(session: Session, limit: number, days: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_webhooks($1, $2) AS forgotten', [
    limit,
    days,
  ])
  return rows[0]?.forgotten ?? 0
}

// Drops one hour of the API log that is kept no longer. Returns the partition's name.
export async function dropApiRequestHour(session: Session): Promise<string | undefined> {
  const { rows } = await session.query<{ name: string | null }>('SELECT drop_api_request_hour() AS name')
  return rows[0]?.name ?? undefined
}

export async function forgetApiRequestCounts(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_api_request_counts($1) AS forgotten', [
    limit,
  ])
  return rows[0]?.forgotten ?? 0
}

// Partitions must exist even if no keeper runs for days.
const daysAhead = 7

// Creates missing partitions.
export async function makePartitions(session: Session): Promise<void> {
  await session.query('SELECT make_partitions($1)', [daysAhead])
}

type Measured = {
  readonly held: number
  readonly active: number
  readonly overdue: number
  readonly overdueSeconds: number
  readonly inbound: number
  readonly webhooksDue: number
  readonly webhookSeconds: number
}

// What a database has in progress and what is late (functions/measure-database.sql).
export async function measureDatabase(session: Session): Promise<Measured> {
  const { rows } = await session.query<Measured>(
    `SELECT held, active, overdue, overdue_seconds AS "overdueSeconds", inbound, webhooks_due AS "webhooksDue",
       webhook_seconds AS "webhookSeconds" FROM measure_database()`,
  )
  const [measured] = rows
  if (!measured) throw new Error('measure_database returned no row')
  return measured
}
