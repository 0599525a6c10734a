import type { Session } from './database.ts'

export type Measured = {
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
