// Live calls over all accounts of a database by hour, provider, trunk and mode: hours, the minutes that are not in an hour yet, and what is
// newer. One statement reads all three, so nothing is counted twice or left out.

import { firstIdOfSecond } from '../../domain/core/slot.ts'
import type { NetworkCount } from '../../domain/trunks/network-counts.ts'
import type { Session } from '../core/database.ts'

// Whole hours.
export async function readNetworkCounts(session: Session, from: Date, until: Date): Promise<readonly NetworkCount[]> {
  const [first, end] = [from, until].map((time) => firstIdOfSecond(Math.floor(time.getTime() / 1_000)))
  const { rows } = await session.query<NetworkCount>(
    `SELECT (extract(epoch FROM date_trunc('hour', at, 'UTC')) * 1000)::float8 AS "hourMs", provider, trunk,
       mode::text AS mode, sum(calls)::float8 AS calls, sum(dialled)::float8 AS dialled, sum(rang)::float8 AS rang,
       sum(succeeded)::float8 AS succeeded
     FROM (
       SELECT hour AS at, provider, trunk, mode, calls, dialled, rang, succeeded
       FROM network_hours WHERE hour >= $1 AND hour < $2
       UNION ALL
       SELECT minute, provider, trunk, mode, calls, dialled, rang, CASE state WHEN 'succeeded' THEN calls ELSE 0 END
       FROM call_minutes WHERE minute >= $1 AND minute < $2 AND NOT is_test
       UNION ALL
       SELECT tail.minute, tail.provider, tail.trunk, tail.mode, tail.calls, tail.dialled, tail.rang,
         CASE tail.state WHEN 'succeeded' THEN tail.calls ELSE 0 END
       FROM call_count_marks AS mark,
         LATERAL count_range(greatest($3::bigint, mark.counted_to), $4::bigint, NULL) AS tail
       WHERE NOT tail.is_test
     ) AS counted
     GROUP BY 1, 2, 3, 4`,
    [from, until, first, end],
  )
  return rows
}
