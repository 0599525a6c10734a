// Counts of verifications (functions/count-calls.sql): hours, the minutes that are not in an hour yet, and what is newer. One
// statement reads all three, so nothing is counted twice or left out.

import type { CallCount, CountKey } from '../domain/calls/call-counts.ts'
import { type AccountId, firstIdOfSecond, type ServiceId } from '../domain/slot.ts'
import type { Session } from './database.ts'
import type { Verification } from './verification.ts'

export type CountFilter = {
  readonly accountId: AccountId
  // Whole hours: what is older than the last one is counted by hours.
  readonly from: Date
  readonly until: Date
  readonly isTest: boolean
  readonly serviceId?: ServiceId | undefined
  readonly mode?: Verification['mode'] | undefined
  readonly country?: string | undefined
  readonly provider?: string | undefined
  readonly trunk?: string | undefined
  readonly states?: readonly Verification['state'][] | undefined
  readonly reason?: string | undefined
}

// $1 is the account's time zone.
const keys: Readonly<Record<CountKey, string>> = {
  hour: `(extract(epoch FROM date_trunc('hour', at)) * 1000)::float8`,
  day: `(extract(epoch FROM date_trunc('day', at, $1)) * 1000)::float8`,
  weekday: `extract(isodow FROM at AT TIME ZONE $1)::integer`,
  hourOfDay: `extract(hour FROM at AT TIME ZONE $1)::integer`,
  service: 'service_id',
  mode: 'mode::text',
  country: 'country',
  provider: 'provider',
  trunk: 'trunk',
  state: 'state::text',
  reason: 'reason',
}

const conditions = {
  isTest: 'is_test = ?',
  serviceId: 'service_id = ?',
  mode: 'mode = ?',
  country: 'country = ?',
  provider: 'provider = ?',
  trunk: 'trunk = ?',
  states: 'state = ANY (?::verification_state[])',
  reason: 'reason = ?',
} as const satisfies Partial<Record<keyof CountFilter, string>>

const delaySteps = 13
const delays = Array.from({ length: delaySteps }, (_, step) => `coalesce(sum(ring_delays[${step + 1}]), 0)::float8`)

export async function readCounts<Key extends CountKey>(
  session: Session,
  { accountId, from, until, ...filter }: CountFilter,
  by: readonly Key[],
  timeZone: string,
  hasDelays = false,
): Promise<readonly CallCount<Key>[]> {
  const [first, end] = [from, until].map((time) => firstIdOfSecond(Math.floor(time.getTime() / 1_000)))
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const values: unknown[] = [timeZone, accountId, from, until, first, end, ...given.map(([, value]) => value)]
  const where = given.map(([name], index) =>
    conditions[name as keyof typeof conditions].replace('?', `$${index + values.length - given.length + 1}`),
  )
  const { rows } = await session.query<CallCount<Key>>(
    `SELECT ${by.map((key) => `${keys[key]} AS "${key}", `).join('')} sum(calls)::float8 AS calls,
       sum(dialled)::float8 AS dialled, sum(rang)::float8 AS rang, sum(repeats)::float8 AS repeats,
       coalesce(sum(calls) FILTER (WHERE state = 'succeeded'), 0)::float8 AS succeeded,
       coalesce(sum(calls) FILTER (WHERE state = 'failed'), 0)::float8 AS failed,
       sum(charged)::float8 AS charged, ${hasDelays ? `ARRAY[${delays.join(', ')}]` : 'NULL'} AS "ringDelays"
     FROM (
       SELECT hour AS at, * FROM call_hours WHERE account_id = $2 AND hour >= $3 AND hour < $4
       UNION ALL
       SELECT minute AS at, * FROM call_minutes WHERE account_id = $2 AND minute >= $3 AND minute < $4
       UNION ALL
       SELECT tail.minute AS at, tail.* FROM call_count_marks AS mark,
         LATERAL count_range(greatest($5::bigint, mark.counted_to), $6::bigint, $2::integer) AS tail
     ) AS counted
     WHERE $1::text IS NOT NULL AND ${where.join(' AND ')}
     ${by.length > 0 ? `GROUP BY ${by.map((_, index) => index + 1).join(', ')}` : ''}`,
    values,
  )
  return by.length === 0 && rows[0]?.calls === null ? [] : rows
}

// Returns how many minutes were counted; as many as the limit when there may be more.
export async function countCalls(session: Session, minutesMax: number): Promise<number> {
  const { rows } = await session.query<{ counted: number }>('SELECT count_calls($1) AS counted', [minutesMax])
  return rows[0]?.counted ?? 0
}

export async function forgetCallCounts(session: Session, limit: number, days: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_call_counts($1, $2) AS forgotten', [
    limit,
    days,
  ])
  return rows[0]?.forgotten ?? 0
}
