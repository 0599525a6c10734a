// Counts of verifications (functions/count-calls.sql): hours, the minutes that are not in an hour yet, and what is newer. One
// statement reads all three, so nothing is counted twice or left out.

import { type AccountId, firstIdOfSecond } from '../../domain/core/slot.ts'
import type { CallCount, CountKey } from '../../domain/verifications/call-counts.ts'
import type { CountedFilter } from '../../domain/verifications/verification-filter.ts'
import { conditionsOf } from '../core/conditions.ts'
import type { Session } from '../core/database.ts'
import { inCounts } from './verification-filter.ts'

export type CountFilter = CountedFilter & {
  readonly accountId: AccountId
  // Whole hours: what is older than the last one is counted by hours.
  readonly from: Date
  readonly until: Date
  readonly isTest: boolean
}

// The column that a key is made of, and the key itself. $1 is the account's time zone.
const keys: Readonly<Record<CountKey, { readonly column: string; readonly key: string }>> = {
  hour: { column: 'at', key: `(extract(epoch FROM date_trunc('hour', at)) * 1000)::float8` },
  day: { column: 'at', key: `(extract(epoch FROM date_trunc('day', at, $1)) * 1000)::float8` },
  weekday: { column: 'at', key: `extract(isodow FROM at AT TIME ZONE $1)::integer` },
  hourOfDay: { column: 'at', key: `extract(hour FROM at AT TIME ZONE $1)::integer` },
  service: { column: 'service_id', key: 'service_id' },
  mode: { column: 'mode', key: 'mode::text' },
  country: { column: 'country', key: 'country' },
  provider: { column: 'provider', key: 'provider' },
  trunk: { column: 'trunk', key: 'trunk' },
  state: { column: 'state', key: 'state::text' },
  reason: { column: 'reason', key: 'reason' },
}

const delaySteps = 13
const delays = Array.from({ length: delaySteps }, (_, step) => `delays_${step + 1}`)

// By column, each with the sum that it is.
const sums: Readonly<Record<string, string>> = {
  calls: 'sum(calls)',
  dialled: 'sum(dialled)',
  rang: 'sum(rang)',
  repeats: 'sum(repeats)',
  succeeded: `sum(calls) FILTER (WHERE state = 'succeeded')`,
  failed: `sum(calls) FILTER (WHERE state = 'failed')`,
  charged: 'sum(charged)',
}
const delaySums = Object.fromEntries(delays.map((name, step) => [name, `sum(ring_delays[${step + 1}])`]))

export async function readCounts<Key extends CountKey>(
  session: Session,
  { accountId, from, until, ...filter }: CountFilter,
  by: readonly Key[],
  timeZone: string,
  hasDelays = false,
): Promise<readonly CallCount<Key>[]> {
  const [first, end] = [from, until].map((time) => firstIdOfSecond(Math.floor(time.getTime() / 1_000)))
  const own = [timeZone, accountId, from, until, first, end]
  const { where, values } = conditionsOf(inCounts, filter, own.length)
  // Each source is summed by plain columns first: a key is computed for few rows instead of a hundred thousand.
  const columns = [...new Set(by.map((key) => keys[key].column))]
  const summed = { ...sums, ...(hasDelays ? delaySums : {}) }
  const sumOf = (source: string, at: string) =>
    `SELECT ${[
      ...columns.map((column) => (column === 'at' ? `${at} AS at` : column)),
      ...Object.entries(summed).map(([name, sum]) => `${sum} AS ${name}`),
    ].join(', ')}
     FROM ${source} ${where === '' ? '' : `AND ${where}`}
     ${columns.length > 0 ? `GROUP BY ${columns.map((column) => (column === 'at' ? at : column)).join(', ')}` : ''}`
  const { rows } = await session.query<CallCount<Key>>(
    `SELECT ${by.map((key) => `${keys[key].key} AS "${key}", `).join('')} sum(calls)::float8 AS calls,
       sum(dialled)::float8 AS dialled, sum(rang)::float8 AS rang, sum(repeats)::float8 AS repeats,
       coalesce(sum(succeeded), 0)::float8 AS succeeded, coalesce(sum(failed), 0)::float8 AS failed,
       sum(charged)::float8 AS charged,
       ${hasDelays ? `ARRAY[${delays.map((name) => `coalesce(sum(${name}), 0)::float8`).join(', ')}]` : 'NULL'} AS "ringDelays"
     FROM (
       ${sumOf('call_hours WHERE account_id = $2 AND hour >= $3 AND hour < $4', 'hour')}
       UNION ALL
       ${sumOf('call_minutes WHERE account_id = $2 AND minute >= $3 AND minute < $4', 'minute')}
       UNION ALL
       ${sumOf(
         `call_count_marks AS mark,
         LATERAL count_range(greatest($5::bigint, mark.counted_to), $6::bigint, $2::integer) AS tail WHERE true`,
         'minute',
       )}
     ) AS counted
     WHERE $1::text IS NOT NULL
     ${by.length > 0 ? `GROUP BY ${by.map((_, index) => index + 1).join(', ')}` : ''}`,
    [...own, ...values],
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
