// Calls to prefixes in the clock hour, service by service: written by accept_calls.

import type { Session } from './database.ts'

// Hours that are over, so many rows at most; how many are gone.
export async function forgetPrefixUsage(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_prefix_usage($1) AS forgotten', [limit])
  return rows[0]?.forgotten ?? 0
}
