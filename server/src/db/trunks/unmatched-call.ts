// Inbound calls that matched no request: counted by hour, trunk and reason, without their caller.

import type { Session } from '../core/database.ts'

export type UnmatchedCount = { readonly trunk: string; readonly reason: string; readonly calls: number }

export async function addUnmatchedCounts(globalDatabase: Session, counts: readonly UnmatchedCount[]): Promise<void> {
  await globalDatabase.query('SELECT count_unmatched_calls($1)', [JSON.stringify(counts)])
}

// Of the last 24 hours, the most frequent first.
export async function readUnmatchedCounts(
  globalDatabase: Session,
): Promise<readonly (UnmatchedCount & { readonly lastAt: Date })[]> {
  const { rows } = await globalDatabase.query<UnmatchedCount & { lastAt: Date }>(
    `SELECT trunk, reason, sum(calls)::float8 AS calls, max(last_at) AS "lastAt" FROM unmatched_calls
     WHERE hour > clock_timestamp() - interval '25 hours' AND last_at > clock_timestamp() - interval '24 hours'
     GROUP BY trunk, reason ORDER BY calls DESC, trunk, reason`,
  )
  return rows
}
