import type { ServiceId } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import type { Session } from '../core/database.ts'

// What the service has started and spent in this UTC day, and started in this hour, by the counters that its caps use; tests do not count.
export async function readUsageToday(
  session: Session,
  id: ServiceId,
): Promise<{ readonly count: number; readonly hourCount: number; readonly spent: MicroAmount }> {
  const { rows } = await session.query<{ count: number; hourCount: number; spent: MicroAmount }>(
    `SELECT day_count AS count, day_spent AS spent,
       CASE WHEN hour = date_trunc('hour', clock_timestamp()) THEN hour_count ELSE 0 END AS "hourCount"
     FROM service_usage
     WHERE service_id = $1 AND day = date_trunc('day', clock_timestamp(), 'UTC')`,
    [id],
  )
  return rows[0] ?? { count: 0, hourCount: 0, spent: 0 as MicroAmount }
}
