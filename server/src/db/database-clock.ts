// PostgreSQL's clock: deadlines, limits and ids go by it. See is_clock_trusted in 0001_slots-and-ids.sql.

import { DatabaseError } from 'pg'
import type { Clock } from '../clock.ts'
import type { Session } from './database.ts'

export type DatabaseClock = {
  readonly now: Date
  // How far it is ahead of the last time at which the database was known to be at work; below zero when it is behind.
  readonly leadSeconds: number
  // While it is not, no id is made: nothing starts and nothing is charged.
  readonly isTrusted: boolean
}

export async function readDatabaseClock(session: Session): Promise<DatabaseClock> {
  const { rows } = await session.query<DatabaseClock>(
    'SELECT clock_timestamp() AS now, clock_lead() AS "leadSeconds", is_clock_trusted() AS "isTrusted"',
  )
  const [clock] = rows
  if (!clock) throw new Error('a SELECT without FROM gave no row')
  return clock
}

// The operator says that it is right.
export async function confirmDatabaseClock(session: Session): Promise<void> {
  await session.query('SELECT confirm_clock()')
}

export type ClockOffset = DatabaseClock & {
  // How far PostgreSQL's clock is ahead of this machine's, and by how much that may be wrong: half of the journey there and back.
  readonly offsetMs: number
  readonly errorMs: number
}

export async function measureClock(session: Session, clock: Clock): Promise<ClockOffset> {
  const sentMs = clock.monotonicMs()
  const database = await readDatabaseClock(session)
  const tookMs = clock.monotonicMs() - sentMs
  return { ...database, offsetMs: database.now.getTime() - clock.timeOfDayMs() + tookMs / 2, errorMs: tookMs / 2 }
}

// Whether a statement failed because it needed an id while the clock is not trusted.
export function isClockRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'RING1'
}
