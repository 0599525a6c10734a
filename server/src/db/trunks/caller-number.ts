// Caller numbers: those that calls may show, those that are out of use, and how calls have used them.

import type { CallerRange, Quarantine } from '../../domain/trunks/caller-pool.ts'
import { liveRanges } from '../../domain/trunks/number-spans.ts'
import type { Session } from '../core/database.ts'
import { readCallerRanges } from './trunk.ts'

// What a call may show: every caller number but those that are out of use now. Routing reads nothing else.
export async function readLiveCallerRanges(globalDatabase: Session): Promise<readonly CallerRange[]> {
  return liveRanges(await readCallerRanges(globalDatabase), await readQuarantines(globalDatabase))
}

// Those that are out of use now.
export async function readQuarantines(globalDatabase: Session): Promise<readonly Quarantine[]> {
  const { rows } = await globalDatabase.query<Quarantine>(
    `SELECT trunk, first_number AS first, last_number AS last, reason, since, until FROM caller_quarantines
     WHERE until IS NULL OR until > clock_timestamp() ORDER BY trunk, first_number`,
  )
  return rows
}

// Those whose time is over are forgotten, so that they are in the way of no new one.
export async function forgetQuarantines(globalDatabase: Session): Promise<void> {
  await globalDatabase.query('DELETE FROM caller_quarantines WHERE until <= clock_timestamp()')
}

export async function insertQuarantine(
  globalDatabase: Session,
  { trunk, first, last, reason, since, until }: Quarantine,
): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO caller_quarantines (trunk, first_number, last_number, reason, since, until)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [trunk, first, last, reason, since, until],
  )
}

export async function deleteQuarantine(
  globalDatabase: Session,
  { trunk, first }: Pick<Quarantine, 'trunk' | 'first'>,
): Promise<void> {
  await globalDatabase.query('DELETE FROM caller_quarantines WHERE trunk = $1 AND first_number = $2', [trunk, first])
}

// Many at once, as an import brings them.
export async function insertCallerRanges(globalDatabase: Session, ranges: readonly CallerRange[]): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO caller_ranges (trunk, country, first_number, last_number)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])`,
    [
      ranges.map(({ trunk }) => trunk),
      ranges.map(({ country }) => country),
      ranges.map(({ first }) => first),
      ranges.map(({ last }) => last),
    ],
  )
}

// How often each of our numbers was shown by the newest verifications of a database. Bounded: it never reads more than these.
export async function readCallerUse(
  session: Session,
  newest: number,
): Promise<readonly { readonly number: number; readonly calls: number }[]> {
  const { rows } = await session.query<{ number: number; calls: number }>(
    `SELECT caller_number AS number, count(*)::integer AS calls
     FROM (SELECT caller_number, is_test FROM verifications ORDER BY id DESC LIMIT $1) AS call
     WHERE NOT is_test AND caller_number IS NOT NULL GROUP BY caller_number`,
    [newest],
  )
  return rows
}
