// Waits for a subscriber's call in the database: the functions of migrations 0015 and 0016.

import type { InboundRequest } from '../domain/calls/inbound-request.ts'
import type { VerificationId } from '../domain/slot.ts'
import { byteaText, lockMs, type Session, withLockTimeout } from './database.ts'
import type { AcceptDecision } from './verification.ts'

export type StartedInboundRequest =
  | { readonly decision: 'accepted'; readonly id: VerificationId; readonly confirmationNumber: number }
  | {
      readonly decision:
        | Exclude<AcceptDecision, 'accepted'>
        | 'inbound-limit'
        | 'inbound-limit-account'
        | 'tests-used-up'
        | 'no-number'
      readonly retryMs: number | null
    }

export async function startInboundRequests(
  session: Session,
  waits: readonly InboundRequest[],
  timeScale: number,
  waitMs = lockMs,
): Promise<readonly StartedInboundRequest[]> {
  const { rows } = await session.query<StartedInboundRequest>(
    `SELECT decision, id, confirmation_number AS "confirmationNumber", retry_ms AS "retryMs"
     FROM start_inbound_requests(${withLockTimeout('$1::jsonb', '$3')}, $2) ORDER BY ord`,
    [JSON.stringify(waits.map(toInboundRow)), timeScale, String(waitMs)],
  )
  return rows
}

// The wait that a call from the subscriber to the number belongs to; the open one, where there is one, else the last.
export async function findInboundRequest(
  session: Session,
  confirmationNumber: number,
  subscriberHashes: readonly Buffer[],
): Promise<{ readonly id: VerificationId; readonly isOpen: boolean; readonly isOver: boolean } | undefined> {
  const { rows } = await session.query<{ id: VerificationId; isOpen: boolean; isOver: boolean }>(
    `SELECT id, is_active AND until > clock_timestamp() AS "isOpen", until <= clock_timestamp() AS "isOver"
     FROM inbound_requests WHERE confirmation_number = $1 AND subscriber_hash = ANY ($2) AND NOT is_test
     ORDER BY 2 DESC, until DESC LIMIT 1`,
    [confirmationNumber, subscriberHashes],
  )
  return rows[0]
}

export type InboundMatch = { readonly id: VerificationId; readonly vaultName: string }

// For each whether it was proved: false when it was over, or proved already.
export async function matchInboundCalls(
  session: Session,
  proofs: readonly InboundMatch[],
  lifeSeconds: number,
  waitMs = lockMs,
): Promise<readonly boolean[]> {
  const { rows } = await session.query<{ place: number }>(
    `SELECT place FROM match_inbound_calls(${withLockTimeout('$1::bigint[]', '$4')}, $2, $3) AS place`,
    [proofs.map(({ id }) => id), proofs.map(({ vaultName }) => vaultName), lifeSeconds, String(waitMs)],
  )
  const proved = new Set(rows.map(({ place }) => place))
  return proofs.map((_, index) => proved.has(index + 1))
}

// Open waits whose test number calls now.
export async function readTestCalls(session: Session): Promise<readonly VerificationId[]> {
  const { rows } = await session.query<{ id: VerificationId }>(
    'SELECT id FROM inbound_requests WHERE is_active AND test_call_at <= clock_timestamp() ORDER BY test_call_at LIMIT 100',
  )
  return rows.map(({ id }) => id)
}

function toInboundRow(wait: InboundRequest): Record<string, unknown> {
  return {
    request: toRequestRecord(wait),
    hashes: wait.subscriberHashes.map(byteaText),
    numbers: wait.candidates.map(({ number }) => number),
    trunks: wait.candidates.map(({ trunk }) => trunk),
    callback_sealed: byteaText(wait.callbackSealed),
    receiver_digest: byteaText(wait.receiverDigest),
    inbound_seconds: wait.inboundSeconds,
    test_call_seconds: wait.testCallSeconds,
  }
}

// As the type call_request, without what only an outgoing call has.
function toRequestRecord(wait: InboundRequest): Record<string, unknown> {
  return {
    account_id: wait.accountId,
    service_id: wait.serviceId,
    is_test: wait.isTest,
    mode: 'inbound',
    phone_hash: byteaText(wait.phoneHash),
    person_sealed: byteaText(wait.personSealed),
    country: wait.country,
    phone_info: wait.phoneInfo,
    price: wait.price,
    hour_max: wait.hourMax,
    day_max: wait.dayMax,
    spend_max: wait.spendMax,
    opt_out_digest: byteaText(wait.optOutDigest),
  }
}
