// Webhooks of all services of a database, as operators see them.

import type { AccountId, ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { WebhookState } from '../../domain/webhooks/webhook.ts'
import type { Session } from '../core/database.ts'

export type Delivery = {
  readonly id: VerificationId
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly callbackSealed: Buffer
  readonly state: WebhookState
  readonly reason: string | null
  readonly calledAt: Date
  readonly attempts: number
  // Null once the number is erased.
  readonly numberUntil: Date | null
  // Of the last attempt, if there was one.
  readonly endedAt: Date | null
  readonly status: number | null
  readonly failure: string | null
  readonly durationMs: number | null
}

// Of the last 24 hours, tests left out. Newest first.
export async function readDeliveries(
  session: Session,
  { state, limit }: { readonly state?: Delivery['state']; readonly limit: number },
): Promise<readonly Delivery[]> {
  const { rows } = await session.query<Delivery>(
    `SELECT w.id, s.account_id AS "accountId", w.service_id AS "serviceId", w.callback_sealed AS "callbackSealed", w.state, w.reason,
       w.called_at AS "calledAt", w.attempts,
       CASE WHEN w.state <> 'delivered' AND w.number_until > clock_timestamp() THEN w.number_until END AS "numberUntil",
       a.ended_at AS "endedAt", a.status, a.failure, a.duration_ms AS "durationMs"
     FROM webhooks AS w JOIN services AS s ON s.id = w.service_id
     LEFT JOIN webhook_attempts AS a ON a.id = w.id AND a.attempt = w.attempts
     WHERE w.id >= (extract(epoch FROM clock_timestamp() - interval '1 day')::bigint - id_epoch()) << 23
       AND NOT w.is_test AND ($1::webhook_state IS NULL OR w.state = $1)
     ORDER BY w.id DESC LIMIT $2`,
    [state ?? null, limit],
  )
  return rows
}

export type Backlog = { readonly waiting: number; readonly lateSeconds: number | null }

export async function readBacklog(session: Session): Promise<Backlog> {
  const { rows } = await session.query<Backlog>(
    `SELECT count(*)::integer AS waiting,
       extract(epoch FROM clock_timestamp() - min(due_at) FILTER (WHERE due_at < clock_timestamp()))::float8 AS "lateSeconds"
     FROM webhooks WHERE state = 'due' AND NOT is_test`,
  )
  return rows[0] ?? { waiting: 0, lateSeconds: null }
}

// Makes dead webhooks due whose number is still there; returns which.
export async function sendDeliveriesAnew(
  session: Session,
  ids: readonly VerificationId[],
): Promise<ReadonlySet<VerificationId>> {
  const { rows } = await session.query<{ id: VerificationId }>(
    `UPDATE webhooks SET state = 'due', reason = NULL, ended_at = NULL, due_at = clock_timestamp(), attempts_before = attempts
     WHERE id = ANY ($1) AND state = 'dead' AND number_until > clock_timestamp() RETURNING id`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}
