// Inbound requests in the database: started, matched and read in batches.

import type { AccountId, VerificationId } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import type { Assurance } from '../../domain/verifications/inbound-call.ts'
import type { InboundRequest } from '../../domain/verifications/inbound-request.ts'
import { byteaText, lockMs, type Session, withLockTimeout } from '../core/database.ts'
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
  requests: readonly InboundRequest[],
  timeScale: number,
  waitMs = lockMs,
): Promise<readonly StartedInboundRequest[]> {
  const { rows } = await session.query<StartedInboundRequest>(
    `SELECT decision, id, confirmation_number AS "confirmationNumber", retry_ms AS "retryMs"
     FROM start_inbound_requests(${withLockTimeout('$1::jsonb', '$3')}, $2) ORDER BY ord`,
    [JSON.stringify(requests.map(toInboundRow)), timeScale, String(waitMs)],
  )
  return rows
}

type FoundInboundRequest = {
  readonly id: VerificationId
  readonly accountId: AccountId
  readonly price: MicroAmount
  readonly isOpen: boolean
  readonly isOver: boolean
  // A call of a ladder has none.
  readonly hasWebhook: boolean
}

// The request that a call from the subscriber to the number belongs to: the active one, else the latest. A virtual
// phone finds only requests of test services, and everybody else only the others.
export async function findInboundRequest(
  session: Session,
  confirmationNumber: number,
  subscriberHashes: readonly Buffer[],
  isTest: boolean,
): Promise<FoundInboundRequest | undefined> {
  const { rows } = await session.query<FoundInboundRequest>(
    `SELECT id, account_id AS "accountId", is_active AND until > clock_timestamp() AS "isOpen", until <= clock_timestamp() AS "isOver",
       callback_sealed IS NOT NULL AS "hasWebhook",
       (SELECT price FROM verifications WHERE verifications.id = inbound_requests.id) AS price
     FROM inbound_requests WHERE confirmation_number = $1 AND subscriber_hash = ANY ($2) AND is_test = $3
     ORDER BY "isOpen" DESC, until DESC LIMIT 1`,
    [confirmationNumber, subscriberHashes, isTest],
  )
  return rows[0]
}

export type InboundMatch = {
  readonly id: VerificationId
  readonly vaultName: string
  // Of a call from a carrier.
  readonly assurance?: Assurance
}

// Whether each call matched: false if the request is over or already matched.
export async function matchInboundCalls(
  session: Session,
  matches: readonly InboundMatch[],
  lifeSeconds: number,
  waitMs = lockMs,
): Promise<readonly boolean[]> {
  const { rows } = await session.query<{ place: number }>(
    `SELECT place FROM match_inbound_calls(${withLockTimeout('$1::bigint[]', '$4')}, $2, $3, $5::text[]) AS place`,
    [
      matches.map(({ id }) => id),
      matches.map(({ vaultName }) => vaultName),
      lifeSeconds,
      String(waitMs),
      matches.map(({ assurance }) => assurance ?? null),
    ],
  )
  const matched = new Set(rows.map(({ place }) => place))
  return matches.map((_, index) => matched.has(index + 1))
}

export type OpenInbound = {
  readonly id: VerificationId
  readonly accountId: AccountId
  readonly confirmationNumber: number
  readonly ageSeconds: number
  readonly leftSeconds: number
}

// Requests that wait for a subscriber's call, without those of test numbers: how many, and the oldest.
export async function readOpenInbound(
  session: Session,
  countMax: number,
): Promise<{ readonly count: number; readonly oldest: readonly OpenInbound[] }> {
  const { rows } = await session.query<OpenInbound & { count: number }>(
    `SELECT id, account_id AS "accountId", confirmation_number AS "confirmationNumber",
       extract(epoch FROM clock_timestamp())::float8 - ((id >> 23) + id_epoch())::float8 AS "ageSeconds",
       extract(epoch FROM until - clock_timestamp())::float8 AS "leftSeconds", (count(*) OVER ())::float8 AS count
     FROM inbound_requests WHERE is_active AND NOT is_test AND until > clock_timestamp() ORDER BY id LIMIT $1`,
    [countMax],
  )
  return { count: rows[0]?.count ?? 0, oldest: rows }
}

type DueTestCall = { readonly id: VerificationId; readonly accountId: AccountId }

// Active requests whose test number is due to call.
export async function readTestCalls(session: Session): Promise<readonly DueTestCall[]> {
  const { rows } = await session.query<DueTestCall>(
    `SELECT id, account_id AS "accountId" FROM inbound_requests
     WHERE is_active AND test_call_at <= clock_timestamp() ORDER BY test_call_at LIMIT 100`,
  )
  return rows
}

// As the SQL type inbound_request. A call of a ladder has no callback.
export function toInboundRow(
  request: Omit<InboundRequest, 'callbackSealed' | 'receiverDigest'> & Partial<InboundRequest>,
): Record<string, unknown> {
  return {
    request: toRequestRecord(request),
    hashes: request.subscriberHashes.map(byteaText),
    numbers: request.candidates.map(({ number }) => number),
    trunks: request.candidates.map(({ trunk }) => trunk),
    callback_sealed: byteaText(request.callbackSealed),
    receiver_digest: byteaText(request.receiverDigest),
    inbound_seconds: request.inboundSeconds,
    test_call_seconds: request.testCallSeconds,
  }
}

// As the SQL type call_request, without the fields of outgoing calls.
function toRequestRecord(request: Omit<InboundRequest, 'callbackSealed' | 'receiverDigest'>): Record<string, unknown> {
  return {
    account_id: request.accountId,
    service_id: request.serviceId,
    is_test: request.isTest,
    mode: 'inbound',
    phone_hash: byteaText(request.phoneHash),
    person_sealed: byteaText(request.personSealed),
    country: request.country,
    phone_info: request.phoneInfo,
    price: request.price,
    hour_max: request.hourMax,
    day_max: request.dayMax,
    spend_max: request.spendMax,
    opt_out_digest: byteaText(request.optOutDigest),
  }
}
