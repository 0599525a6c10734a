import { type AccountId, type IdRange, idEpochSeconds, type ServiceId } from '../../domain/core/slot.ts'
import type { CallCounts, StatisticsKey } from '../../domain/verifications/call-statistics.ts'
import type { Session } from '../core/database.ts'

export type StatisticsFilter = IdRange & {
  readonly accountId: AccountId | undefined
  readonly serviceId: ServiceId | undefined
}

const columns: Readonly<Record<StatisticsKey, string>> = {
  trunk: `coalesce(trunk, '')`,
  country: 'country',
  mode: 'mode::text',
  hour: `to_char(to_timestamp((id >> 23) + ${idEpochSeconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00"')`,
}

// Outgoing calls that have ended, without those to test numbers. Post-dial delays are rounded to 10 ms.
export async function countCalls(
  session: Session,
  by: readonly StatisticsKey[],
  { firstId, endId, accountId, serviceId }: StatisticsFilter,
): Promise<readonly CallCounts[]> {
  const group = by.map((key) => `'${key}', ${columns[key]}`).join(', ')
  const { rows } = await session.query<CallCounts>(
    `SELECT jsonb_build_object(${group}) AS "group", round(post_dial_ms, -1)::integer AS "postDialMs",
       count(*) FILTER (WHERE dialled_at IS NOT NULL) AS dialled,
       count(*) FILTER (WHERE rang_at IS NOT NULL OR post_dial_ms IS NOT NULL) AS rang,
       count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
       count(*) FILTER (WHERE dialled_at IS NULL) AS "notDialled"
     FROM verifications
     WHERE id >= $1 AND id < $2 AND mode <> 'inbound' AND NOT is_test AND ended_at IS NOT NULL
       AND ($3::integer IS NULL OR account_id = $3) AND ($4::integer IS NULL OR service_id = $4)
     GROUP BY 1, 2`,
    [firstId, endId, accountId ?? null, serviceId ?? null],
  )
  return rows
}

// Whether a phone has ever rung over one of these trunks. Each query ends at the first row that says so.

// Calls of the last hour, and test calls of operators. In the global database.
export async function hasRungLately(globalDatabase: Session, trunks: readonly string[]): Promise<boolean> {
  const { rows } = await globalDatabase.query<{ hasRung: boolean }>(
    `SELECT EXISTS (SELECT FROM route_minutes WHERE trunk = ANY ($1) AND rang > 0)
       OR EXISTS (SELECT FROM trunk_tests WHERE trunk = ANY ($1) AND rang_after_ms IS NOT NULL) AS "hasRung"`,
    [trunks],
  )
  return rows[0]?.hasRung === true
}

export async function hasRungBefore(session: Session, trunks: readonly string[]): Promise<boolean> {
  const { rows } = await session.query<{ hasRung: boolean }>(
    `SELECT EXISTS (SELECT FROM network_hours WHERE trunk = ANY ($1) AND rang > 0)
       OR EXISTS (SELECT FROM call_minutes WHERE trunk = ANY ($1) AND rang > 0 AND NOT is_test) AS "hasRung"`,
    [trunks],
  )
  return rows[0]?.hasRung === true
}
