// Webhooks in the database: due deliveries and the result of each attempt.

import { type AccountId, firstIdOfSecond, type ServiceId, type VerificationId } from '../../domain/core/slot.ts'
import type { NextStep, WebhookState } from '../../domain/webhooks/webhook.ts'
import { conditionsOf } from '../core/conditions.ts'
import type { Session } from '../core/database.ts'
import { inWebhooks, type WebhookFilter } from './webhook-filter.ts'

export type DueWebhook = {
  readonly id: VerificationId
  readonly serviceId: ServiceId
  readonly accountId: AccountId
  readonly isTest: boolean
  readonly callbackSealed: Buffer
  readonly receiverDigest: Buffer
  readonly confirmationNumber: number
  readonly vaultName: string
  // The number of the next attempt: in total, and in the current schedule.
  readonly attempt: number
  readonly nth: number
  // By the database's clock.
  readonly now: Date
  readonly lifeLeftMs: number
  readonly secretSealed: Buffer
  // The previous secret, during a rotation.
  readonly secretBeforeSealed: Buffer | null
}

// How many more deliveries may be in flight: per receiver, per service, and for tests. A receiver or service not listed has
// none in flight and room for the maximum.
export type Room = {
  readonly receivers: readonly { readonly digest: Buffer; readonly room: number }[]
  readonly receiverMax: number
  readonly services: readonly { readonly id: ServiceId; readonly room: number }[]
  readonly serviceMax: number
  readonly tests: number
}

// Claims due webhooks for the time of a lease. Services take turns, each with its longest due first, so that one backlog does
// not delay other services; no service or receiver gets more than it has room for. Locked rows are skipped, so any number
// of processes can claim at once.
export async function claimWebhooks(
  session: Session,
  limit: number,
  { receivers, receiverMax, services, serviceMax, tests }: Room,
  leaseSeconds: number,
): Promise<readonly DueWebhook[]> {
  const full = receivers.filter(({ room }) => room === 0)
  const { rows } = await session.query<DueWebhook>(
    `WITH RECURSIVE service AS (
       (SELECT service_id AS id FROM webhooks WHERE state = 'due' ORDER BY service_id LIMIT 1)
       UNION ALL
       SELECT (SELECT w.service_id FROM webhooks AS w WHERE w.state = 'due' AND w.service_id > service.id
               ORDER BY w.service_id LIMIT 1)
       FROM service WHERE service.id IS NOT NULL
     ), due AS (
       SELECT w.id, w.due_at, w.is_test, coalesce(r.room, $4) AS room,
         row_number() OVER (PARTITION BY w.receiver_digest ORDER BY w.due_at) AS place,
         row_number() OVER (PARTITION BY w.service_id ORDER BY w.due_at) AS turn,
         row_number() OVER (PARTITION BY w.is_test ORDER BY w.due_at) AS nth
       FROM service LEFT JOIN unnest($6::integer[], $7::integer[]) AS s(id, room) ON s.id = service.id,
       LATERAL (SELECT w.id, w.service_id, w.receiver_digest, w.due_at, w.is_test FROM webhooks AS w
                WHERE w.service_id = service.id AND w.state = 'due' AND w.due_at <= now()
                  AND w.receiver_digest <> ALL ($9::bytea[]) AND (NOT w.is_test OR $10 > 0)
                ORDER BY w.due_at LIMIT coalesce(s.room, $8)) AS w
       LEFT JOIN unnest($2::bytea[], $3::integer[]) AS r(digest, room) ON r.digest = w.receiver_digest
     ), claimed AS (
       SELECT w.id FROM webhooks AS w JOIN due USING (id)
       WHERE due.place <= due.room AND (NOT due.is_test OR due.nth <= $10) AND w.state = 'due' AND w.due_at <= now()
       ORDER BY due.turn, due.due_at LIMIT $1
       FOR UPDATE OF w SKIP LOCKED
     )
     UPDATE webhooks AS w SET due_at = clock_timestamp() + make_interval(secs => $5)
     FROM claimed, services AS s WHERE w.id = claimed.id AND s.id = w.service_id
     RETURNING w.id, w.service_id AS "serviceId", s.account_id AS "accountId", w.is_test AS "isTest",
       w.callback_sealed AS "callbackSealed", w.receiver_digest AS "receiverDigest", w.confirmation_number AS "confirmationNumber", w.vault_name AS "vaultName",
       w.attempts + 1 AS attempt, w.attempts - w.attempts_before + 1 AS nth, clock_timestamp() AS now,
       (extract(epoch FROM w.number_until - clock_timestamp()) * 1000)::float8 AS "lifeLeftMs",
       s.webhook_secret_sealed AS "secretSealed",
       CASE WHEN s.webhook_secret_before_until > clock_timestamp() THEN s.webhook_secret_before_sealed END
         AS "secretBeforeSealed"`,
    [
      limit,
      receivers.map(({ digest }) => digest),
      receivers.map(({ room }) => room),
      receiverMax,
      leaseSeconds,
      services.map(({ id }) => id),
      services.map(({ room }) => room),
      serviceMax,
      full.map(({ digest }) => digest),
      tests,
    ],
  )
  return rows
}

type WebhookAttempt = {
  readonly attempt: number
  readonly durationMs: number
  readonly status: number | undefined
  readonly failure: string | undefined
  readonly responseStart: string
}

// Records an attempt and the next step. False if another process has recorded the same one, because the lease expired.
export async function recordAttempt(
  session: Session,
  id: VerificationId,
  attempt: WebhookAttempt,
  next: NextStep,
  timeScale: number,
): Promise<boolean> {
  const { rowCount } = await session.query(
    `WITH moved AS (
       UPDATE webhooks SET attempts = $2, state = $3, reason = $4,
         due_at = clock_timestamp() + make_interval(secs => $5),
         ended_at = CASE WHEN $3 <> 'due'::webhook_state THEN clock_timestamp() END
       WHERE id = $1 AND attempts = $2 - 1 AND state = 'due'
       RETURNING id
     )
     INSERT INTO webhook_attempts (id, attempt, duration_ms, status, failure, response_start)
     SELECT id, $2, $6, $7, $8, $9 FROM moved`,
    [
      id,
      attempt.attempt,
      next.state,
      next.state === 'dead' ? next.reason : null,
      next.state === 'due' ? next.inSeconds * timeScale : 0,
      attempt.durationMs,
      attempt.status ?? null,
      attempt.failure ?? null,
      attempt.responseStart,
    ],
  )
  return rowCount === 1
}

// Nothing was sent: due again soon, as if it had not been claimed.
export async function postponeWebhook(session: Session, id: VerificationId, seconds: number): Promise<void> {
  await session.query(
    `UPDATE webhooks SET due_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1 AND state = 'due'`,
    [id, seconds],
  )
}

// The number expired before the webhook was delivered.
export async function noteErased(session: Session, id: VerificationId): Promise<void> {
  await session.query(
    `UPDATE webhooks SET state = 'dead', reason = 'erased', ended_at = clock_timestamp() WHERE id = $1 AND state = 'due'`,
    [id],
  )
}

export type ListedWebhook = {
  readonly id: VerificationId
  readonly serviceId: ServiceId
  readonly state: WebhookState
  readonly reason: string | null
  readonly calledAt: Date
  readonly dueAt: Date
  readonly isNumberThere: boolean
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastFailure: string | null
  readonly lastMs: number | null
  readonly lastResponse: string | null
}

const listedColumns = `w.id, w.service_id AS "serviceId", w.state, w.reason, w.called_at AS "calledAt", w.due_at AS "dueAt",
  w.state <> 'delivered' AND w.number_until > clock_timestamp() AS "isNumberThere", w.attempts, a.status AS "lastStatus",
  a.failure AS "lastFailure", a.duration_ms AS "lastMs", a.response_start AS "lastResponse"`

// Newest first.
export async function listWebhooks(
  session: Session,
  filter: WebhookFilter,
  limit: number,
): Promise<readonly ListedWebhook[]> {
  const { where, values } = conditionsOf(inWebhooks, filter, 1)
  const { rows } = await session.query<ListedWebhook>(
    `SELECT ${listedColumns}
     FROM webhooks AS w LEFT JOIN webhook_attempts AS a ON a.id = w.id AND a.attempt = w.attempts
     ${where === '' ? '' : `WHERE ${where}`} ORDER BY w.id DESC LIMIT $1`,
    [limit, ...values],
  )
  return rows
}

// Locked for the rest of the transaction.
export async function lockWebhook(session: Session, id: VerificationId): Promise<ListedWebhook | undefined> {
  const { rows } = await session.query<ListedWebhook>(
    `SELECT ${listedColumns}
     FROM webhooks AS w LEFT JOIN webhook_attempts AS a ON a.id = w.id AND a.attempt = w.attempts
     WHERE w.id = $1 FOR UPDATE OF w`,
    [id],
  )
  return rows[0]
}

export async function sendAnew(session: Session, id: VerificationId): Promise<void> {
  await session.query(
    `UPDATE webhooks SET state = 'due', reason = NULL, ended_at = NULL, due_at = clock_timestamp(),
       attempts_before = attempts
     WHERE id = $1`,
    [id],
  )
}

// Those that were given up, of verifications since a time.
export async function countFailedWebhooks(session: Session, accountId: AccountId, since: Date): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM webhooks AS webhook JOIN services AS service ON service.id = webhook.service_id
     WHERE service.account_id = $1 AND webhook.state = 'dead' AND NOT webhook.is_test AND webhook.id >= $2`,
    [accountId, firstIdOfSecond(Math.floor(since.getTime() / 1_000))],
  )
  return rows[0]?.count ?? 0
}
