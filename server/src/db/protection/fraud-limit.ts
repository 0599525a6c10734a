// Limits of fraud rules that an operator has set, in the global database.

import type { StoredLimits } from '../../domain/protection/fraud-limits.ts'
import type { Session } from '../core/database.ts'

// In the order in which they are changed.
export async function lockFraudLimits(globalDatabase: Session): Promise<StoredLimits> {
  await globalDatabase.query('LOCK TABLE fraud_limits IN SHARE ROW EXCLUSIVE MODE')
  const { rows } = await globalDatabase.query<{ limits: StoredLimits }>(
    `SELECT coalesce(jsonb_object_agg(rule, calls_max), '{}') AS limits FROM fraud_limits`,
  )
  return rows[0]?.limits ?? {}
}

export async function writeFraudLimits(globalDatabase: Session, limits: StoredLimits): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO fraud_limits (rule, calls_max) SELECT * FROM unnest($1::text[], $2::integer[])
     ON CONFLICT (rule) DO UPDATE SET calls_max = excluded.calls_max, changed_at = clock_timestamp()`,
    [Object.keys(limits), Object.values(limits)],
  )
}

// Calls per prefix, service and clock hour; accept_calls writes it.

// Deletes up to limit rows of past hours; returns how many.
export async function forgetPrefixUsage(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ forgotten: number }>('SELECT forget_prefix_usage($1) AS forgotten', [limit])
  return rows[0]?.forgotten ?? 0
}
