// Prefixes and countries that no rule over prefixes refuses, in the global database.

import type { BreakerScope } from '../../domain/protection/prefix-gate.ts'
import type { Session } from '../core/database.ts'

export type AllowedPrefix = {
  readonly scope: BreakerScope
  // Null: for good.
  readonly until: Date | null
  readonly reason: string
  // Undefined for a country, and where no call to the prefix was refused.
  readonly prefixSealed: Buffer | null
  readonly createdAt: Date
}

// Newest first, without those whose time is over.
export async function readAllowedPrefixes(globalDatabase: Session, limit: number): Promise<readonly AllowedPrefix[]> {
  const { rows } = await globalDatabase.query<AllowedPrefix>(
    `SELECT scope, until, reason, prefix_sealed AS "prefixSealed", created_at AS "createdAt" FROM allowed_prefixes
     WHERE until IS NULL OR until > clock_timestamp() ORDER BY created_at DESC LIMIT $1`,
    [limit],
  )
  return rows
}

// Replaces an earlier entry, which is returned as it was.
export async function putAllowedPrefix(
  globalDatabase: Session,
  {
    scope,
    hours,
    reason,
    prefixSealed,
  }: Pick<AllowedPrefix, 'scope' | 'reason' | 'prefixSealed'> & { hours: number | null },
): Promise<{ readonly before: Date | null | undefined; readonly until: Date | null }> {
  await globalDatabase.query('DELETE FROM allowed_prefixes WHERE until <= clock_timestamp()')
  const { rows: known } = await globalDatabase.query<{ until: Date | null }>(
    'DELETE FROM allowed_prefixes WHERE scope = $1 RETURNING until',
    [scope],
  )
  const { rows } = await globalDatabase.query<{ until: Date | null }>(
    `INSERT INTO allowed_prefixes (scope, until, reason, prefix_sealed)
     VALUES ($1, clock_timestamp() + make_interval(hours => $2), $3, $4) RETURNING until`,
    [scope, hours, reason, prefixSealed],
  )
  return { before: known[0]?.until, until: rows[0]?.until ?? null }
}

// Undefined if there was none.
export async function deleteAllowedPrefix(
  globalDatabase: Session,
  scope: BreakerScope,
): Promise<Pick<AllowedPrefix, 'until'> | undefined> {
  const { rows } = await globalDatabase.query<{ until: Date | null }>(
    'DELETE FROM allowed_prefixes WHERE scope = $1 RETURNING until',
    [scope],
  )
  return rows[0]
}
