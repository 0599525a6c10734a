// Ladders in the database (functions/ladders.sql).

import type { PromptLanguage, ServiceMode } from '../../domain/accounts/modes.ts'
import type { ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { Ladder, LadderCall, LadderState, RungRequest } from '../../domain/verifications/ladder.ts'
import { byteaText, lockMs, type Session, withLockTimeout } from '../core/database.ts'
import { type StartedInboundRequest, toInboundRow } from './inbound-request.ts'
import { type AcceptDecision, toRequestRecord, verificationColumns } from './verification.ts'

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
  readonly language: PromptLanguage
  // Modes by which this number cannot be reached, and why.
  readonly skipped: Ladder['skipped']
}

type RungDecision = AcceptDecision | StartedInboundRequest['decision']

export type AcceptedRung<Decision> = {
  readonly decision: RungDecision | Decision
  readonly id: VerificationId | null
  readonly retryMs: number | null
  readonly confirmationNumber: number | null
}

const outcome = 'decision, id, retry_ms AS "retryMs", confirmation_number AS "confirmationNumber"'

export type LadderStart = { readonly call: RungRequest; readonly ladder: LadderRequest }

// Requests of accounts in this database, each with its first call.
export async function acceptLadders(
  session: Session,
  requests: readonly LadderStart[],
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

const rungRefusals = ['ladder-over', 'ladder-exists', 'no-channel-left', 'too-late'] as const
export type RungRefusal = (typeof rungRefusals)[number]

export function isRungRefusal(decision: string): decision is RungRefusal {
  return (rungRefusals as readonly string[]).includes(decision)
}

export async function acceptRung(
  session: Session,
  // The mode that was asked for, if the operator has replaced it for the provider.
  ladder: { readonly id: VerificationId; readonly callsBefore: number; readonly mode?: ServiceMode },
  call: RungRequest,
  timeScale: number,
  waitMs = lockMs,
): Promise<AcceptedRung<RungRefusal>> {
  const { rows } = await session.query<AcceptedRung<RungRefusal>>(
    `SELECT ${outcome} FROM accept_rung(${withLockTimeout('$1::bigint', '$6')}, $2, $3, $4, $5)`,
    [
      ladder.id,
      ladder.callsBefore,
      ladder.mode ?? ('mode' in call ? call.mode : 'inbound'),
      JSON.stringify(toRungRecord(call, ladder.id)),
      timeScale,
      String(waitMs),
    ],
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

// Without its code, unless it is a test.
const ladderColumns = `ladder.id, ladder.account_id AS "accountId", ladder.service_id AS "serviceId", ladder.is_test AS "isTest", ladder.state,
  ladder.reason, ladder.has_code AS "hasCode", ladder.modes, ladder.modes_left AS "modesLeft", ladder.call_ids AS "callIds",
  ladder.checks_max AS "checksMax", cardinality(ladder.check_keys) AS checks, ladder.language, ladder.skipped,
  ladder.created_at AS "createdAt", ladder.expires_at AS "expiresAt",
  (extract(epoch FROM ladder.expires_at - clock_timestamp()) * 1000)::float8 AS "leftMs", ladder.due_at AS "dueAt", ladder.ended_at AS "endedAt",
  ladder.approved_call AS "approvedCall", CASE WHEN ladder.is_test THEN ladder.code END AS "testCode"`

export async function readLadder(session: Session, id: VerificationId): Promise<Ladder | undefined> {
  const { rows } = await session.query<Ladder>({
    name: 'read-ladder',
    text: `SELECT ${ladderColumns} FROM ladders AS ladder WHERE ladder.id = $1`,
    values: [id],
  })
  return rows[0]
}

export type LadderQuery = {
  readonly serviceId: ServiceId
  readonly beforeId: VerificationId | undefined
  readonly state: LadderState | undefined
  readonly phoneHashes: readonly Buffer[] | undefined
  readonly clientDigests: readonly Buffer[] | undefined
}

// Newest first.
export async function listLadders(session: Session, query: LadderQuery, limit: number): Promise<readonly Ladder[]> {
  const { rows } = await session.query<Ladder>(
    `SELECT ${ladderColumns} FROM ladders AS ladder
     WHERE ladder.service_id = $1 AND ladder.id < coalesce($2, ${Number.MAX_SAFE_INTEGER})
       AND ($3::ladder_state IS NULL OR ladder.state = $3) AND ($4::bytea[] IS NULL OR ladder.phone_hash = ANY ($4))
       AND ($5::bytea[] IS NULL OR EXISTS (
         SELECT FROM verifications AS call WHERE call.id = ladder.id AND call.client_digest = ANY ($5)))
     ORDER BY ladder.id DESC LIMIT $6`,
    [query.serviceId, query.beforeId, query.state, query.phoneHashes, query.clientDigests, limit],
  )
  return rows
}

// Of all these ladders, oldest first.
export async function readLadderCalls(
  session: Session,
  ids: readonly VerificationId[],
): Promise<readonly LadderCall[]> {
  const { rows } = await session.query<LadderCall>({
    name: 'read-ladder-calls',
    text: `SELECT ${verificationColumns}, end_until AS "endUntil" FROM verifications WHERE id = ANY ($1) ORDER BY id`,
    values: [ids],
  })
  return rows
}

// What its next call needs and nobody sees.
export type LadderSecrets = {
  readonly code: string | null
  readonly vaultName: string
  readonly continuesLease: number | null
}

export async function readLadderSecrets(session: Session, id: VerificationId): Promise<LadderSecrets | undefined> {
  const { rows } = await session.query<LadderSecrets>(
    'SELECT code, vault_name AS "vaultName", continues_lease AS "continuesLease" FROM ladders WHERE id = $1',
    [id],
  )
  return rows[0]
}

// Where the vault has the numbers of those that are over.
export async function readLadderVaults(
  session: Session,
  ids: readonly VerificationId[],
): Promise<ReadonlyMap<VerificationId, string>> {
  const { rows } = await session.query<{ id: VerificationId; name: string }>(
    `SELECT id, vault_name AS name FROM ladders WHERE id = ANY ($1) AND state <> 'pending'`,
    [ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

// A mode by which it cannot call, and why. For a worker, which names the calls that it has seen, the next one is due at once.
export async function skipMode(
  session: Session,
  id: VerificationId,
  { mode, code }: Ladder['skipped'][number],
  calls: number | undefined,
): Promise<void> {
  await session.query('SELECT skip_ladder_mode($1, $2, $3, $4)', [id, mode, code, calls])
}

// Its next call has to wait, such as for the end of the number's cooldown.
export async function delayLadder(session: Session, id: VerificationId, calls: number, waitMs: number): Promise<void> {
  await session.query('SELECT delay_ladder($1, $2, $3)', [id, calls, waitMs])
}

function toRungRecord(call: RungRequest, ladderId: number): Record<string, unknown> {
  const ofLadder = { ladder_id: ladderId, code: null }
  if ('mode' in call) return { ...toRequestRecord(call), ...ofLadder }
  const { request, ...rest } = toInboundRow(call)
  const lookups = {
    key_digests: call.keyDigests?.map(byteaText),
    client_digest: byteaText(call.clientDigest),
  }
  return { ...rest, request: { ...(request as object), ...lookups, ...ofLadder } }
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
    skipped: ladder.skipped,
  }
}
