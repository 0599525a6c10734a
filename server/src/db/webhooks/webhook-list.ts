// The webhooks of an account's services, as its people see them.

import type { ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { WebhookState } from '../../domain/webhooks/webhook.ts'
import { conditionsOf } from '../core/conditions.ts'
import type { Session } from '../core/database.ts'
import { inWebhooks, type WebhookFilter } from './webhook-filter.ts'

export type OwnWebhook = {
  readonly id: VerificationId
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly state: WebhookState
  readonly reason: string | null
  readonly callbackSealed: Buffer
  readonly calledAt: Date
  readonly dueAt: Date
  readonly numberUntil: Date
  readonly isNumberThere: boolean
  readonly attempts: number
  // Of the current schedule.
  readonly nth: number
}

export async function listOwnWebhooks(
  session: Session,
  filter: WebhookFilter,
  limit: number,
): Promise<readonly OwnWebhook[]> {
  const { where, values } = conditionsOf(inWebhooks, filter, 1)
  const { rows } = await session.query<OwnWebhook>(
    `SELECT id, service_id AS "serviceId", is_test AS "isTest", state, reason, callback_sealed AS "callbackSealed",
       called_at AS "calledAt", due_at AS "dueAt", number_until AS "numberUntil",
       state <> 'delivered' AND number_until > clock_timestamp() AS "isNumberThere", attempts,
       attempts - attempts_before AS nth
     FROM webhooks AS w WHERE ${where} ORDER BY id DESC LIMIT $1`,
    [limit, ...values],
  )
  return rows
}

export type OwnAttempt = {
  readonly id: VerificationId
  readonly attempt: number
  readonly endedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly failure: string | null
  readonly responseStart: string
}

// Oldest first.
export async function readWebhookAttempts(
  session: Session,
  ids: readonly VerificationId[],
): Promise<readonly OwnAttempt[]> {
  const { rows } = await session.query<OwnAttempt>(
    `SELECT id, attempt, ended_at AS "endedAt", duration_ms AS "durationMs", status, failure, response_start AS "responseStart"
     FROM webhook_attempts WHERE id = ANY ($1) ORDER BY id, attempt`,
    [ids],
  )
  return rows
}

export type RecentAttempt = Pick<OwnAttempt, 'id' | 'endedAt' | 'durationMs' | 'status'> & {
  readonly serviceId: ServiceId
  readonly callbackSealed: Buffer
  readonly receiver: string
  readonly isDelivered: boolean
}

// The newest attempts; oldest first.
export async function readRecentAttempts(
  session: Session,
  filter: WebhookFilter,
  limit: number,
): Promise<readonly RecentAttempt[]> {
  const { where, values } = conditionsOf(inWebhooks, filter, 1)
  const { rows } = await session.query<RecentAttempt>(
    `SELECT a.id, a.ended_at AS "endedAt", a.duration_ms AS "durationMs", a.status, w.service_id AS "serviceId",
       w.callback_sealed AS "callbackSealed", encode(w.receiver_digest, 'hex') AS receiver, w.state = 'delivered' AS "isDelivered"
     FROM webhooks AS w JOIN webhook_attempts AS a ON a.id = w.id
     WHERE ${where} ORDER BY a.ended_at DESC LIMIT $1`,
    [limit, ...values],
  )
  return rows.toReversed()
}

// Makes dead webhooks due whose call came in since then and whose number is still there; returns their IDs.
export async function recoverWebhooks(
  session: Session,
  serviceIds: readonly ServiceId[],
  { sinceSecond, isTest, limit }: { readonly sinceSecond: number; readonly isTest: boolean; readonly limit: number },
): Promise<readonly VerificationId[]> {
  const { rows } = await session.query<{ id: VerificationId }>(
    `UPDATE webhooks AS w SET state = 'due', reason = NULL, ended_at = NULL, due_at = clock_timestamp(),
       attempts_before = w.attempts
     FROM (SELECT id FROM webhooks
           WHERE service_id = ANY ($1) AND is_test = $2 AND state = 'dead' AND called_at >= to_timestamp($3)
             AND number_until > clock_timestamp()
           ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED) AS old
     WHERE w.id = old.id RETURNING w.id`,
    [serviceIds, isTest, sinceSecond, limit],
  )
  return rows.map(({ id }) => id)
}

// A webhook that waits for its next attempt need not wait longer.
export async function hurryWebhook(session: Session, id: VerificationId): Promise<void> {
  await session.query(`UPDATE webhooks SET due_at = clock_timestamp() WHERE id = $1 AND state = 'due'`, [id])
}

export type SigningSecret = {
  readonly sealed: Buffer
  readonly beforeSealed: Buffer | null
  readonly beforeUntil: Date | null
}

// The old secret only while it still signs.
export async function readSigningSecrets(
  session: Session,
  serviceIds: readonly ServiceId[],
): Promise<ReadonlyMap<ServiceId, SigningSecret>> {
  const { rows } = await session.query<SigningSecret & { id: ServiceId }>(
    `SELECT id, webhook_secret_sealed AS sealed,
       CASE WHEN webhook_secret_before_until > clock_timestamp() THEN webhook_secret_before_sealed END AS "beforeSealed",
       CASE WHEN webhook_secret_before_until > clock_timestamp() THEN webhook_secret_before_until END AS "beforeUntil"
     FROM services WHERE id = ANY ($1)`,
    [serviceIds],
  )
  return new Map(rows.map(({ id, ...secret }) => [id, secret]))
}
