// Whether a phone has ever rung over one of these trunks. Each query ends at the first row that says so.

import type { Session } from '../core/database.ts'

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
