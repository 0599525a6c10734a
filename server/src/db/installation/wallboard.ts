// What a database has to do now, for the wallboard. Reads no old days.

import type { Session } from '../core/database.ts'

type Backlog = {
  // Calls that wait to be dialled.
  readonly waiting: number
  readonly webhooksDue: number
  // How late the oldest of them is.
  readonly webhookLateMs: number
  // Micro-units, since the hour began; the last minute or two are missing.
  readonly charged: number
}

export async function readBacklog(session: Session): Promise<Backlog> {
  const { rows } = await session.query<Backlog>(
    `SELECT
       (SELECT count(*) FROM verifications
        WHERE id >= (SELECT from_id FROM sweep_marks) AND state = 'accepted')::float8 AS waiting,
       webhook.due::float8 AS "webhooksDue", webhook.late_ms::float8 AS "webhookLateMs",
       (SELECT coalesce(sum(charged), 0) FROM call_minutes
        WHERE minute >= date_trunc('hour', clock_timestamp(), 'UTC') AND NOT is_test)::float8 AS charged
     FROM (SELECT count(*) AS due,
         greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(due_at)) * 1000, 0)) AS late_ms
       FROM webhooks WHERE state = 'due') AS webhook`,
  )
  return rows[0] ?? { waiting: 0, webhooksDue: 0, webhookLateMs: 0, charged: 0 }
}

export type BoardMinute = { readonly at: number; readonly dialled: number; readonly rang: number }

// First attempts by minute, oldest first. In the global database.
export async function readBoardMinutes(globalDatabase: Session, timeScale: number): Promise<readonly BoardMinute[]> {
  const { rows } = await globalDatabase.query<BoardMinute>(
    `SELECT (extract(epoch FROM minute) * 1000)::float8 AS at, sum(dialled)::float8 AS dialled, sum(rang)::float8 AS rang
     FROM route_minutes WHERE minute > clock_timestamp() - interval '1 hour' * $1::float8 GROUP BY minute ORDER BY minute`,
    [timeScale],
  )
  return rows
}
