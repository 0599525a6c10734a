import type { TrafficCount, TrunkCost } from '../../domain/money/margin.ts'
import type { Session } from '../core/database.ts'

// By trunk, mode and country, the oldest first.
export async function readTrunkCosts(globalDatabase: Session): Promise<readonly TrunkCost[]> {
  const { rows } = await globalDatabase.query<TrunkCost>(
    `SELECT trunk, mode, country, cost, valid_from AS "validFrom" FROM trunk_costs ORDER BY trunk, mode, country, valid_from`,
  )
  return rows
}

// In force from the given time, or from now by the database's clock. Undefined if there is one from exactly that time.
export async function insertTrunkCost(
  globalDatabase: Session,
  { trunk, mode, country, cost, validFrom }: Omit<TrunkCost, 'validFrom'> & { readonly validFrom: Date | undefined },
): Promise<Date | undefined> {
  const { rows } = await globalDatabase.query<{ validFrom: Date }>(
    `INSERT INTO trunk_costs (trunk, mode, country, cost, valid_from) VALUES ($1, $2, $3, $4, coalesce($5, clock_timestamp()))
     ON CONFLICT DO NOTHING RETURNING valid_from AS "validFrom"`,
    [trunk, mode, country, cost, validFrom ?? null],
  )
  return rows[0]?.validFrom
}

// Live calls of a database by day, tariff, destination and trunk, from the hours and minutes that are counted; the newest minutes are
// missing. An account counts for the tariff that it has now.

export async function readTrafficCounts(session: Session, from: Date, until: Date): Promise<readonly TrafficCount[]> {
  const { rows } = await session.query<TrafficCount>(
    `WITH counted AS (
       SELECT hour AS at, account_id, mode, country, trunk, state, calls, dialled, repeats, charged FROM call_hours
       WHERE hour >= $1 AND hour < $2 AND NOT is_test
       UNION ALL
       SELECT minute, account_id, mode, country, trunk, state, calls, dialled, repeats, charged FROM call_minutes
       WHERE minute >= $1 AND minute < $2 AND NOT is_test
     )
     SELECT (extract(epoch FROM date_trunc('day', at, 'UTC')) * 1000)::float8 AS "dayMs", account.tariff, mode::text AS mode, country,
       trunk, sum(calls)::float8 AS calls, sum(dialled)::float8 AS dialled, sum(charged)::float8 AS charged,
       -- A repeat is free; a failed call is paid only where the tariff charges it.
       coalesce(sum(calls - repeats) FILTER (WHERE state = 'succeeded' OR charged > 0), 0)::float8 AS paid
     FROM counted JOIN accounts AS account ON account.id = counted.account_id
     GROUP BY 1, 2, 3, 4, 5`,
    [from, until],
  )
  return rows
}
