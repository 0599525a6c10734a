// What a database holds, in numbers that name nobody, for the support bundle.

import { firstIdOfSecond } from '../../domain/core/slot.ts'
import { daySeconds } from '../../domain/values/time.ts'
import type { Session } from '../core/database.ts'
import { readSchemaVersion } from '../core/schema-version.ts'

type SupportCounts = {
  readonly schemaVersion: string
  readonly accounts: number
  readonly services: number
  // Of the last day.
  readonly verifications: readonly {
    readonly trunk: string
    readonly mode: string
    readonly isTest: boolean
    readonly state: string
    readonly reason: string
    readonly calls: number
    readonly rang: number
  }[]
}

export async function readSupportCounts(session: Session, nowSeconds: number): Promise<SupportCounts> {
  const [schemaVersion, { rows: sums }, { rows: verifications }] = await Promise.all([
    readSchemaVersion(session),
    session.query<{ accounts: number; services: number }>(
      `SELECT (SELECT count(*) FROM accounts)::float8 AS accounts, (SELECT count(*) FROM services)::float8 AS services`,
    ),
    session.query<SupportCounts['verifications'][number]>(
      `WITH counted AS (
         SELECT trunk, mode, is_test, state, reason, calls, rang FROM call_hours WHERE hour >= clock_timestamp() - interval '1 day'
         UNION ALL
         SELECT trunk, mode, is_test, state, reason, calls, rang FROM call_minutes WHERE minute >= clock_timestamp() - interval '1 day'
         UNION ALL
         SELECT tail.trunk, tail.mode, tail.is_test, tail.state, tail.reason, tail.calls, tail.rang
         FROM call_count_marks AS mark, LATERAL count_range(greatest($1::bigint, mark.counted_to), $2::bigint, NULL) AS tail
       )
       SELECT trunk, mode::text AS mode, is_test AS "isTest", state::text AS state, reason, sum(calls)::float8 AS calls,
         sum(rang)::float8 AS rang
       FROM counted GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
      [firstIdOfSecond(nowSeconds - daySeconds), firstIdOfSecond(nowSeconds + daySeconds)],
    ),
  ])
  return { schemaVersion, accounts: sums[0]?.accounts ?? 0, services: sums[0]?.services ?? 0, verifications }
}
