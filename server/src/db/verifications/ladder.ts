// Ladders in the database (functions/ladders.sql).

import type { ladderReasons, ladderStates } from '@ringproof/contract/lists/calls.ts'
import type { ServiceMode } from '../../domain/accounts/modes.ts'
import type { AccountId, ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { CallRequest } from '../../domain/verifications/call-request.ts'
import type { InboundRequest } from '../../domain/verifications/inbound-request.ts'
import { byteaText, lockMs, type Session, withLockTimeout } from '../core/database.ts'
import { type StartedInboundRequest, toInboundRow } from './inbound-request.ts'
import { type AcceptDecision, toRequestRecord } from './verification.ts'

type LadderState = (typeof ladderStates)[number]

// A call as any other, but for its code and its webhook: the ladder has the code, and an approval is its own event.
export type RungRequest = CallRequest | Omit<InboundRequest, 'callbackSealed' | 'receiverDigest'>

export type LadderRequest = {
  readonly modes: readonly ServiceMode[]
  // Undefined when every mode is inbound.
  readonly code: string | undefined
  readonly checksMax: number
  // Under every key that may still be in use.
  readonly phoneHashes: readonly Buffer[]
  readonly silenceSeconds: number | undefined
  readonly ttlSeconds: number
  readonly vaultName: string
  readonly language: string
}

type RungDecision = AcceptDecision | StartedInboundRequest['decision']

export type AcceptedRung<Decision> = {
  readonly decision: RungDecision | Decision
  readonly id: VerificationId | null
  readonly retryMs: number | null
  readonly confirmationNumber: number | null
}

const outcome = 'decision, id, retry_ms AS "retryMs", confirmation_number AS "confirmationNumber"'

// Requests of accounts in this database, each with its first call.
export async function acceptLadders(
  session: Session,
  requests: readonly { readonly call: RungRequest; readonly ladder: LadderRequest }[],
  timeScale: number,
  waitMs = lockMs,
): Promise<readonly AcceptedRung<'guesses-used-up'>[]> {
  const { rows } = await session.query<AcceptedRung<'guesses-used-up'>>(
    `SELECT ${outcome} FROM accept_ladders(${withLockTimeout('$1::jsonb', '$4')}, $2, $3) ORDER BY ord`,
    [
      JSON.stringify(requests.map(({ call }) => toRungRecord(call, 0))),
      JSON.stringify(requests.map(({ ladder }) => toLadderRecord(ladder))),
      timeScale,
      String(waitMs),
    ],
  )
  return rows
}

type RungRefusal = 'ladder-over' | 'ladder-exists' | 'no-channel-left' | 'too-late'

export async function acceptRung(
  session: Session,
  ladder: { readonly id: VerificationId; readonly callsBefore: number },
  call: RungRequest,
  timeScale: number,
  waitMs = lockMs,
): Promise<AcceptedRung<RungRefusal>> {
  const { rows } = await session.query<AcceptedRung<RungRefusal>>(
    `SELECT ${outcome} FROM accept_rung(${withLockTimeout('$1::bigint', '$5')}, $2, $3, $4)`,
    [ladder.id, ladder.callsBefore, JSON.stringify(toRungRecord(call, ladder.id)), timeScale, String(waitMs)],
  )
  if (!rows[0]) throw new RangeError(`no decision about a call of ladder ${ladder.id}`)
  return rows[0]
}

export type CheckedCode = {
  readonly result: 'approved' | 'wrong' | 'not-called' | 'over' | 'key-reused' | 'unknown'
  readonly state: LadderState | null
  readonly checksLeft: number | null
}

// key: 16 bytes of the idempotency key and 4 of the code with it, or random ones.
export async function checkLadder(
  session: Session,
  serviceId: ServiceId,
  id: VerificationId,
  { code, key }: { readonly code: string; readonly key: Buffer },
  waitMs = lockMs,
): Promise<CheckedCode> {
  const { rows } = await session.query<CheckedCode>({
    // Named, so that it is parsed once per connection.
    name: 'check-ladder',
    text: `SELECT result, state, checks_left AS "checksLeft" FROM check_ladder(${withLockTimeout('$1::integer', '$5')}, $2, $3, $4)`,
    values: [serviceId, id, code, key, String(waitMs)],
  })
  if (!rows[0]) throw new RangeError(`no result of a check of ladder ${id}`)
  return rows[0]
}

// The state that it has now, and whether this cancel has given it; null if the service has no such ladder.
export async function cancelLadder(
  session: Session,
  serviceId: ServiceId,
  id: VerificationId,
  waitMs = lockMs,
): Promise<{ readonly state: LadderState | null; readonly isChanged: boolean }> {
  const { rows } = await session.query<{ state: LadderState | null; isChanged: boolean }>(
    `SELECT state, is_changed AS "isChanged" FROM cancel_ladder(${withLockTimeout('$1::integer', '$3')}, $2)`,
    [serviceId, id, String(waitMs)],
  )
  return rows[0] ?? { state: null, isChanged: false }
}

export type DueLadder = {
  readonly id: VerificationId
  // next: its next call is due, and leased to who asked.
  readonly outcome: 'expired' | 'failed' | 'next' | 'pending'
  readonly calls: number
}

export async function takeDueLadders(
  session: Session,
  limit: number,
  leaseSeconds: number,
): Promise<readonly DueLadder[]> {
  const { rows } = await session.query<DueLadder>('SELECT id, outcome, calls FROM take_due_ladders($1, $2)', [
    limit,
    leaseSeconds,
  ])
  return rows
}

export type Ladder = {
  readonly id: VerificationId
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly state: LadderState
  readonly reason: (typeof ladderReasons)[number] | null
  readonly modesLeft: readonly ServiceMode[]
  readonly callIds: readonly VerificationId[]
  readonly checksMax: number
  readonly checks: number
  readonly approvedCall: VerificationId | null
}

// Without its code.
export async function readLadder(session: Session, id: VerificationId): Promise<Ladder | undefined> {
  const { rows } = await session.query<Ladder>(
    `SELECT id, account_id AS "accountId", service_id AS "serviceId", is_test AS "isTest", state, reason, modes_left AS "modesLeft",
       call_ids AS "callIds", checks_max AS "checksMax", cardinality(check_keys) AS checks, approved_call AS "approvedCall"
     FROM ladders WHERE id = $1`,
    [id],
  )
  return rows[0]
}

function toRungRecord(call: RungRequest, ladderId: number): Record<string, unknown> {
  const ofLadder = { ladder_id: ladderId, code: null }
  if ('mode' in call) return { ...toRequestRecord(call), ...ofLadder }
  const { request, ...rest } = toInboundRow(call)
  return { ...rest, request: { ...(request as object), ...ofLadder } }
}

// As the SQL type ladder_request.
function toLadderRecord(ladder: LadderRequest): Record<string, unknown> {
  return {
    modes: ladder.modes,
    code: ladder.code,
    checks_max: ladder.checksMax,
    phone_hashes: ladder.phoneHashes.map(byteaText),
    silence_seconds: ladder.silenceSeconds,
    ttl_seconds: ladder.ttlSeconds,
    vault_name: ladder.vaultName,
    language: ladder.language,
  }
}
