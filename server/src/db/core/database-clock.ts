// PostgreSQL's clock, which deadlines, limits and IDs use. See the SQL function is_clock_trusted.

import { DatabaseError } from 'pg'
import type { Clock } from '../../process/clock.ts'
import type { Session } from './database.ts'

export type DatabaseClock = {
  readonly now: Date
  // How far it is ahead of the database's last recorded activity; negative if it is behind.
  readonly leadSeconds: number
  // While false, no ID is generated: nothing starts and nothing is charged.
  readonly isTrusted: boolean
}

export async function readDatabaseClock(session: Session): Promise<DatabaseClock> {
  const { rows } = await session.query<DatabaseClock>(
    'SELECT clock_timestamp() AS now, clock_lead() AS "leadSeconds", is_clock_trusted() AS "isTrusted"',
  )
  const [clock] = rows
  if (!clock) throw new Error('SELECT without FROM returned no row')
  return clock
}

// The operator confirms that the clock is right.
export async function confirmDatabaseClock(session: Session): Promise<void> {
  await session.query('SELECT confirm_clock()')
}

type ClockOffset = DatabaseClock & {
  // How far PostgreSQL's clock is ahead of this machine's, and the error bound: half the round trip.
  readonly offsetMs: number
  readonly errorMs: number
}

export async function measureClock(session: Session, clock: Clock): Promise<ClockOffset> {
  const sentMs = clock.monotonicMs()
  const database = await readDatabaseClock(session)
  const tookMs = clock.monotonicMs() - sentMs
  return { ...database, offsetMs: database.now.getTime() - clock.timeOfDayMs() + tookMs / 2, errorMs: tookMs / 2 }
}

// Whether a statement failed because it needed an ID while the clock was not trusted.
export function isClockRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'RING1'
}
