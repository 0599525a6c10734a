// Web-hooks in the record: what is due, and what became of each attempt.

import type { ServiceId, VerificationId } from '../domain/slot.ts'
import type { NextStep } from '../domain/webhook.ts'
import type { Session } from './database.ts'

export type DueWebhook = {
  readonly id: VerificationId
  readonly serviceId: ServiceId
  readonly callbackSealed: Buffer
  readonly receiverDigest: Buffer
  readonly confirmationNumber: number
  readonly vaultName: string
  // Which attempt the next one is, over all and in the present schedule.
  readonly attempt: number
  readonly nth: number
  // By the database's clock.
  readonly now: Date
  readonly lifeLeftMs: number
  readonly secretSealed: Buffer
  // The one before, while receivers change over.
  readonly secretBeforeSealed: Buffer | null
}

// How many deliveries to a receiver may be added to those that are under way.
export type ReceiverRoom = { readonly digest: Buffer; readonly room: number }

// Takes what is due, for the time of a lease; of one receiver no more than it has room for. Whoever is at a row already is
// passed over, so that any number of processes may claim at once.
export async function claimWebhooks(
  session: Session,
  limit: number,
  receivers: readonly ReceiverRoom[],
  roomOfOthers: number,
  leaseSeconds: number,
): Promise<readonly DueWebhook[]> {
  const { rows } = await session.query<DueWebhook>(
    `WITH due AS (
       SELECT w.id, row_number() OVER (PARTITION BY w.receiver_digest ORDER BY w.due_at) AS place,
         coalesce(r.room, $4) AS room
       FROM webhooks AS w LEFT JOIN unnest($2::bytea[], $3::integer[]) AS r(digest, room) ON r.digest = w.receiver_digest
       WHERE w.state = 'due' AND w.due_at <= clock_timestamp()
     ), claimed AS (
       SELECT w.id FROM webhooks AS w JOIN due USING (id)
       WHERE due.place <= due.room AND w.state = 'due' AND w.due_at <= clock_timestamp()
       ORDER BY w.due_at LIMIT $1
       FOR UPDATE OF w SKIP LOCKED
     )
     UPDATE webhooks AS w SET due_at = clock_timestamp() + make_interval(secs => $5)
     FROM claimed, services AS s WHERE w.id = claimed.id AND s.id = w.service_id
     RETURNING w.id, w.service_id AS "serviceId", w.callback_sealed AS "callbackSealed",
       w.receiver_digest AS "receiverDigest", w.confirmation_number AS "confirmationNumber", w.vault_name AS "vaultName",
       w.attempts + 1 AS attempt, w.attempts - w.attempts_before + 1 AS nth, clock_timestamp() AS now,
       (extract(epoch FROM w.number_until - clock_timestamp()) * 1000)::float8 AS "lifeLeftMs",
       s.webhook_secret_sealed AS "secretSealed",
       CASE WHEN s.webhook_secret_before_until > clock_timestamp() THEN s.webhook_secret_before_sealed END
         AS "secretBeforeSealed"`,
    [limit, receivers.map(({ digest }) => digest), receivers.map(({ room }) => room), roomOfOthers, leaseSeconds],
  )
  return rows
}

export type WebhookAttempt = {
  readonly attempt: number
  readonly durationMs: number
  readonly status: number | undefined
  readonly failure: string | undefined
  readonly answerStart: string
}

// Writes an attempt down, and what follows from it. False when somebody else has written the same one: a lease that ran out.
export async function recordAttempt(
  session: Session,
  id: VerificationId,
  made: WebhookAttempt,
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
     INSERT INTO webhook_attempts (id, attempt, duration_ms, status, failure, answer_start)
     SELECT id, $2, $6, $7, $8, $9 FROM moved`,
    [
      id,
      made.attempt,
      next.state,
      next.state === 'dead' ? next.reason : null,
      next.state === 'due' ? next.inSeconds * timeScale : 0,
      made.durationMs,
      made.status ?? null,
      made.failure ?? null,
      made.answerStart,
    ],
  )
  return rowCount === 1
}

// The number went before the web-hook did.
export async function noteErased(session: Session, id: VerificationId): Promise<void> {
  await session.query(
    `UPDATE webhooks SET state = 'dead', reason = 'erased', ended_at = clock_timestamp() WHERE id = $1 AND state = 'due'`,
    [id],
  )
}

export type ListedWebhook = {
  readonly id: VerificationId
  readonly serviceId: ServiceId
  readonly state: 'due' | 'delivered' | 'dead'
  readonly reason: string | null
  readonly calledAt: Date
  readonly dueAt: Date
  readonly isNumberThere: boolean
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastFailure: string | null
  readonly lastMs: number | null
  readonly lastAnswer: string | null
}

const listedColumns = `w.id, w.service_id AS "serviceId", w.state, w.reason, w.called_at AS "calledAt", w.due_at AS "dueAt",
  w.state <> 'delivered' AND w.number_until > clock_timestamp() AS "isNumberThere", w.attempts, a.status AS "lastStatus",
  a.failure AS "lastFailure", a.duration_ms AS "lastMs", a.answer_start AS "lastAnswer"`

// The newest first.
export async function listWebhooks(
  session: Session,
  wanted: { readonly state: ListedWebhook['state'] | undefined; readonly serviceId: ServiceId | undefined },
  limit: number,
): Promise<readonly ListedWebhook[]> {
  const { rows } = await session.query<ListedWebhook>(
    `SELECT ${listedColumns}
     FROM webhooks AS w LEFT JOIN webhook_attempts AS a ON a.id = w.id AND a.attempt = w.attempts
     WHERE ($1::webhook_state IS NULL OR w.state = $1) AND ($2::integer IS NULL OR w.service_id = $2)
     ORDER BY w.id DESC LIMIT $3`,
    [wanted.state ?? null, wanted.serviceId ?? null, limit],
  )
  return rows
}

// Locks it for the rest of the transaction.
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
