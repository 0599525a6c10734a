// The test calls of an account, newest first: what its handsets show. A partial index holds these calls and no others.

import type { CallMode } from '@ringproof/contract/methods.ts'
import { type AccountId, firstIdOfSecond, type VerificationId } from '../../domain/core/slot.ts'
import type { VerificationState } from '../../domain/verifications/verification.ts'
import type { Session } from '../core/database.ts'

export type PhoneCall = {
  readonly id: VerificationId
  readonly mode: CallMode | 'inbound'
  readonly state: VerificationState
  readonly phoneHash: Buffer
  readonly country: string
  readonly code: string | null
  // Of an inbound verification it is the confirmation number.
  readonly callerNumber: number | null
  readonly shownCaller: number | null
  readonly serviceName: string
  readonly reason: string | null
  readonly sipStatus: number | null
  readonly acceptedAt: Date
  readonly dialledAt: Date | null
  readonly rangAt: Date | null
  readonly answeredAt: Date | null
  readonly endedAt: Date | null
  readonly endUntil: Date
}

type PhoneCallFilter = {
  // Bounds the partitions that are read.
  readonly sinceSecond: number
  readonly limit: number
}

export async function readPhoneCalls(
  session: Session,
  accountId: AccountId,
  { sinceSecond, limit }: PhoneCallFilter,
): Promise<readonly PhoneCall[]> {
  const { rows } = await session.query<PhoneCall>(
    `SELECT v.id, v.mode, v.state, v.phone_hash AS "phoneHash", v.country, v.code, v.caller_number AS "callerNumber",
       v.shown_caller AS "shownCaller", s.name AS "serviceName", v.reason, v.sip_status AS "sipStatus",
       v.accepted_at AS "acceptedAt", v.dialled_at AS "dialledAt", v.rang_at AS "rangAt", v.answered_at AS "answeredAt",
       v.ended_at AS "endedAt", v.end_until AS "endUntil"
     FROM verifications AS v JOIN services AS s ON s.id = v.service_id
     WHERE v.account_id = $1 AND v.is_test AND v.id >= $2
     ORDER BY v.id DESC LIMIT $3`,
    [accountId, firstIdOfSecond(sinceSecond), limit],
  )
  return rows
}

export type RungCall = {
  readonly id: VerificationId
  readonly mode: CallMode
  readonly code: string | null
  readonly shownCaller: number | null
}

// The newest call to the phone that began to ring within the last seconds, by the database's clock.
export async function readRungCall(
  session: Session,
  accountId: AccountId,
  {
    phoneHashes,
    firstId,
    rangSeconds,
  }: {
    readonly phoneHashes: readonly Buffer[]
    readonly firstId: number
    readonly rangSeconds: number
  },
): Promise<RungCall | undefined> {
  const { rows } = await session.query<RungCall>(
    `SELECT id, mode, code, coalesce(shown_caller, caller_number) AS "shownCaller" FROM verifications
     WHERE account_id = $1 AND is_test AND phone_hash = ANY ($2) AND id >= $3
       AND rang_at > clock_timestamp() - make_interval(secs => $4)
     ORDER BY id DESC LIMIT 1`,
    [accountId, phoneHashes, firstId, rangSeconds],
  )
  return rows[0]
}

export type PhoneCallWebhook = {
  readonly id: VerificationId
  readonly endedAt: Date
  readonly status: number | null
  readonly failure: string | null
}

// The attempts to deliver the webhooks of these calls, oldest first.
export async function readPhoneCallWebhooks(
  session: Session,
  ids: readonly VerificationId[],
): Promise<readonly PhoneCallWebhook[]> {
  const { rows } = await session.query<PhoneCallWebhook>(
    `SELECT id, ended_at AS "endedAt", status, failure FROM webhook_attempts WHERE id = ANY ($1) ORDER BY id, attempt`,
    [ids],
  )
  return rows
}
