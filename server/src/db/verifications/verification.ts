// Verifications in the database: accepted, claimed, ended and read in batches.

import type { AccountId, VerificationId } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import type { Ender } from '../../domain/verifications/call-outcome.ts'
import type { CallRequest } from '../../domain/verifications/call-request.ts'
import type { Assurance } from '../../domain/verifications/inbound-call.ts'
import type { ShownCall } from '../../domain/verifications/shown-call.ts'
import { byteaText, lockMs, type Session, withLockTimeout } from '../core/database.ts'

export type AcceptDecision =
  | 'accepted'
  | 'exists'
  | 'cap-hour'
  | 'cap-day'
  | 'cap-spend'
  | 'cap-prefix'
  | 'opted-out'
  | 'no-money'
  | 'too-soon'
  | 'used-up-all'
  | 'used-up-10-minutes'
  | 'used-up-day'
  | 'repeat-too-late'
  | 'repeats-used-up'

export type Accepted = {
  readonly decision: AcceptDecision
  readonly id: VerificationId | null
  readonly retryMs: number | null
}

export async function acceptCalls(
  session: Session,
  requests: readonly CallRequest[],
  timeScale: number,
  waitMs = lockMs,
): Promise<readonly Accepted[]> {
  const { rows } = await session.query<Accepted>({
    // Named like those of claims, rings and ends, so that it is parsed and planned once per connection.
    name: 'accept-calls',
    text: `SELECT decision, id, retry_ms AS "retryMs"
           FROM accept_calls(${withLockTimeout('$1::json', '$3')}, $2) ORDER BY ord`,
    values: [JSON.stringify(requests.map(toRequestRecord)), timeScale, String(waitMs)],
  })
  return rows
}

// Free repeats: requests that name the call they repeat.
export async function acceptRepeats(
  session: Session,
  requests: readonly CallRequest[],
  timeScale: number,
  waitMs = lockMs,
): Promise<readonly Accepted[]> {
  const records = requests.map((request) => ({ ...toRequestRecord(request), first_id: request.firstId }))
  const { rows } = await session.query<Accepted>(
    `SELECT decision, id, retry_ms AS "retryMs" FROM accept_repeats(${withLockTimeout('$1::jsonb', '$3')}, $2) ORDER BY ord`,
    [JSON.stringify(records), timeScale, String(waitMs)],
  )
  return rows
}

export type Claim = {
  readonly id: VerificationId
  readonly attempt: number
  readonly trunk: string
  readonly callerNumber: number | undefined
  // A call of a ladder, which must be pending.
  readonly ladder?: true | undefined
  // Random: a claim that is repeated with its token has won if it won before.
  readonly token: number
}

export type Claimed = {
  // Until its call deadline.
  readonly leftMs: number
  readonly price: MicroAmount
  readonly chargesFailed: boolean
  // Since it was accepted.
  readonly ageMs: number
}

// Undefined for a claim that lost.
export async function claimCalls(
  session: Session,
  claims: readonly Claim[],
  waitMs = lockMs,
): Promise<readonly (Claimed | undefined)[]> {
  const records = claims.map(({ callerNumber, ...claim }) => ({ ...claim, caller_number: callerNumber }))
  const { rows } = await session.query<Claimed & { place: number }>({
    name: 'claim-calls',
    text: `SELECT place, left_ms AS "leftMs", price, age_ms AS "ageMs", charges_failed AS "chargesFailed"
           FROM claim_calls(${withLockTimeout('$1::jsonb', '$2')})`,
    values: [JSON.stringify(records), String(waitMs)],
  })
  const won = new Map(rows.map(({ place, ...claimed }) => [place, claimed]))
  return claims.map((_, index) => won.get(index + 1))
}

export async function noteRang(
  session: Session,
  rang: readonly { readonly id: VerificationId; readonly attempt: number }[],
  waitMs = lockMs,
): Promise<void> {
  await session.query({
    name: 'note-rang',
    text: `SELECT note_rang(${withLockTimeout('$1::jsonb', '$2')})`,
    values: [JSON.stringify(rang), String(waitMs)],
  })
}

// What the handset of a test call did.
export async function noteTestCall(
  session: Session,
  id: VerificationId,
  { shownCaller, isAnswered }: { readonly shownCaller: number | undefined; readonly isAnswered: boolean },
): Promise<void> {
  await session.query('SELECT note_test_call($1, $2, $3)', [id, shownCaller ?? null, isAnswered])
}

export type CallEnd = {
  readonly id: VerificationId
  readonly attempt: number
  readonly succeeded: boolean
  readonly reason: string
  readonly sipStatus: number | undefined
  // Only for a call that was dialled and followed to its end.
  readonly timing?: {
    readonly postDialMs: number | undefined
    readonly ringMs: number | undefined
    readonly endedBy: Ender
  }
  // Under every key, if this database keeps the limits of the number.
  readonly numberHashes: readonly Buffer[] | undefined
  readonly numberLeaseId: number | undefined
  // Nobody was disturbed: no 180, no 183, no answer.
  readonly isSilent?: boolean | undefined
}

// Whether each of these ended its call: false if it had already ended.
export async function endCalls(
  session: Session,
  ends: readonly CallEnd[],
  waitMs = lockMs,
): Promise<readonly boolean[]> {
  const { rows } = await session.query<{ place: number }>({
    name: 'end-calls',
    text: `SELECT place FROM end_calls(${withLockTimeout('$1::jsonb', '$2')}) AS place`,
    values: [JSON.stringify(ends.map(toEndRecord)), String(waitMs)],
  })
  const places = new Set(rows.map(({ place }) => place))
  return ends.map((_, index) => places.has(index + 1))
}

export async function undoCalls(session: Session, ends: readonly CallEnd[], waitMs = lockMs): Promise<void> {
  const records = JSON.stringify(ends.map(toEndRecord))
  await session.query(`SELECT undo_calls(${withLockTimeout('$1::jsonb', '$2')})`, [records, String(waitMs)])
}

// A retry is about to return them to a client: from now on they cannot be undone.
export async function pinVerifications(
  session: Session,
  ids: readonly VerificationId[],
  waitMs = lockMs,
): Promise<void> {
  await session.query(`SELECT pin_verifications(${withLockTimeout('$1::bigint[]', '$2')})`, [ids, String(waitMs)])
}

// The accounts of verifications, in the order of the IDs; undefined for an unknown ID.
export async function readAccountsOf(
  session: Session,
  ids: readonly VerificationId[],
): Promise<readonly (AccountId | undefined)[]> {
  const { rows } = await session.query<{ id: VerificationId; accountId: AccountId }>(
    'SELECT id, account_id AS "accountId" FROM verifications WHERE id = ANY ($1)',
    [ids],
  )
  const accounts = new Map(rows.map(({ id, accountId }) => [id, accountId]))
  return ids.map((id) => accounts.get(id))
}

export type Verification = Omit<ShownCall, 'phoneMask'> & {
  readonly phoneHash: Buffer
  readonly personSealed: Buffer
  readonly code: string | null
  readonly balanceBefore: MicroAmount
  // By the database's clock.
  readonly acceptedAgoMs: number
  readonly pinned: boolean
  // Of a call of a ladder.
  readonly ladderId: VerificationId | null
  // The call that this one repeats, and the repeats of this one.
  readonly firstId: VerificationId | null
  readonly repeatIds: readonly VerificationId[]
}

// The caller number of a ladder's call ends with its code: nobody reads it here.
export const verificationColumns = `id, account_id AS "accountId", service_id AS "serviceId", mode, state, is_test AS "isTest",
  phone_hash AS "phoneHash", person_sealed AS "personSealed", country, phone_info AS "phoneInfo", code, price,
  balance_before AS "balanceBefore", (extract(epoch FROM clock_timestamp() - accepted_at) * 1000)::float8 AS "acceptedAgoMs",
  attempt, pinned, trunk, ladder_id AS "ladderId",
  CASE WHEN ladder_id IS NULL OR mode = 'inbound' OR is_test THEN caller_number END AS "callerNumber", dialled_at AS "dialledAt", rang_at AS "rangAt",
  ended_at AS "endedAt", reason, sip_status AS "sipStatus", post_dial_ms AS "postDialMs", ring_ms AS "ringMs",
  ended_by AS "endedBy", charges_failed AS "chargesFailed", first_id AS "firstId", repeat_ids AS "repeatIds"`

export async function readVerification(session: Session, id: VerificationId): Promise<Verification | undefined> {
  const [verification] = await readVerifications(session, [id])
  return verification
}

type VerificationDetail = {
  readonly acceptedAt: number
  readonly dialledAt: number | null
  readonly rangAt: number | null
  readonly answeredAt: number | null
  readonly endedAt: number | null
  readonly endUntil: number
  readonly assurance: Assurance | null
}

// Times are milliseconds since 1970.
export async function readVerificationDetail(session: Session, id: VerificationId): Promise<VerificationDetail> {
  const ms = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::float8`
  const { rows } = await session.query<VerificationDetail>(
    `SELECT ${ms('accepted_at')} AS "acceptedAt", ${ms('dialled_at')} AS "dialledAt", ${ms('rang_at')} AS "rangAt",
       ${ms('answered_at')} AS "answeredAt", ${ms('ended_at')} AS "endedAt", ${ms('end_until')} AS "endUntil", assurance
     FROM verifications WHERE id = $1`,
    [id],
  )
  if (!rows[0]) throw new RangeError(`verification ${id} is gone`)
  return rows[0]
}

// In the order of the IDs; undefined for an unknown ID.
export async function readVerifications(
  session: Session,
  ids: readonly VerificationId[],
): Promise<readonly (Verification | undefined)[]> {
  const { rows } = await session.query<Verification>({
    // Named, so that it is parsed once per connection: clients poll this.
    name: 'read-verifications',
    text: `SELECT ${verificationColumns} FROM verifications WHERE id = ANY ($1)`,
    values: [ids],
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
}

export function toRequestRecord(request: CallRequest): Record<string, unknown> {
  return {
    account_id: request.accountId,
    service_id: request.serviceId,
    key_digests: request.keyDigests?.map(byteaText),
    is_test: request.isTest,
    mode: request.mode,
    phone_hash: byteaText(request.phoneHash),
    person_sealed: byteaText(request.personSealed),
    client_digest: byteaText(request.clientDigest),
    number_hashes: request.numberHashes?.map(byteaText),
    country: request.country,
    phone_info: request.phoneInfo,
    code: request.code,
    price: request.price,
    trunk: request.trunk,
    caller_number: request.callerNumber,
    calls_10_minutes: request.calls10Minutes,
    calls_day: request.callsDay,
    hour_max: request.hourMax,
    day_max: request.dayMax,
    spend_max: request.spendMax,
    opt_out_digest: byteaText(request.optOutDigest),
    prefix: request.prefix,
    prefix_max: request.prefixMax,
    charges_failed: request.chargesFailed,
  }
}

function toEndRecord(end: CallEnd): Record<string, unknown> {
  const { id, attempt, succeeded, reason, isSilent, timing } = end
  const durations = { post_dial_ms: timing?.postDialMs, ring_ms: timing?.ringMs, ended_by: timing?.endedBy }
  const number = { number_hashes: end.numberHashes?.map(byteaText), number_lease_id: end.numberLeaseId }
  return { id, attempt, succeeded, reason, sip_status: end.sipStatus, is_silent: isSilent, ...durations, ...number }
}
