// Calls per prefix, service and clock hour; accept_calls writes it.

import type { Session } from '../core/database.ts'

// Deletes up to limit rows of past hours; returns how many.
export async function forgetPrefixUsage(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_prefix_usage($1) AS forgotten', [limit])
  return rows[0]?.forgotten ?? 0
}
