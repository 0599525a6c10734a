// Lists of verifications, newest first. The ID serves every list: of an account by its index, of all accounts by the range of
// IDs alone, which bounds what is read. A number and a client are found by their digests.

import type { AccountId, IdRange, ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'
import { type Verification, verificationColumns } from './verification.ts'

export type VerificationFilter = IdRange & {
  readonly ids?: readonly VerificationId[] | undefined
  readonly accountId?: AccountId | undefined
  readonly serviceId?: ServiceId | undefined
  readonly isTest?: boolean | undefined
  readonly states?: readonly Verification['state'][] | undefined
  readonly mode?: Verification['mode'] | undefined
  readonly reason?: string | undefined
  readonly sipStatus?: number | undefined
  // Reasons, those of refused calls with their SIP status: "refused 486".
  readonly ends?: readonly string[] | undefined
  readonly country?: string | undefined
  // The provider that serves the number now; empty: unknown.
  readonly provider?: string | undefined
  readonly trunk?: string | undefined
  readonly phoneHashes?: readonly Buffer[] | undefined
  readonly clientDigests?: readonly Buffer[] | undefined
}

// Each condition is left out when its value is: a plan is made for the conditions that are there.
const conditions: Readonly<Record<keyof VerificationFilter, string>> = {
  firstId: 'id >= ?',
  endId: 'id < ?',
  ids: 'id = ANY (?::bigint[])',
  accountId: 'account_id = ?',
  serviceId: 'service_id = ?',
  isTest: 'is_test = ?',
  states: 'state = ANY (?::verification_state[])',
  mode: 'mode = ?',
  reason: 'reason = ?',
  sipStatus: 'sip_status = ?',
  ends: `CASE reason WHEN 'refused' THEN 'refused ' || coalesce(sip_status, 0) ELSE reason END = ANY (?::text[])`,
  country: 'country = ?',
  provider: `coalesce(phone_info ->> 'mnp', '') = ?`,
  trunk: 'trunk = ?',
  phoneHashes: 'phone_hash = ANY (?::bytea[])',
  clientDigests: 'client_digest = ANY (?::bytea[])',
}

export async function searchVerifications(
  session: Session,
  filter: VerificationFilter,
  limit: number,
): Promise<readonly Verification[]> {
  const { where, values } = conditionsOf(filter)
  const { rows } = await session.query<Verification>(
    `SELECT ${verificationColumns} FROM verifications WHERE ${where} ORDER BY id DESC LIMIT ${limit}`,
    values,
  )
  return rows
}

export type Found = {
  readonly verifications: readonly Verification[]
  // Everything from this ID on was searched; undefined: the whole range was.
  readonly searchedTo: VerificationId | undefined
}

// So many of an account, or of all accounts, are compared with the other conditions at once, whatever they are: 60 to 80 ms.
const comparedMax = 15_000

// Verifications that meet conditions without an index. Of a rare kind there may be none among those compared.
export async function compareVerifications(
  session: Session,
  own: Pick<VerificationFilter, 'firstId' | 'endId' | 'accountId' | 'isTest'>,
  other: Omit<VerificationFilter, keyof typeof own>,
  limit: number,
): Promise<Found> {
  const inside = conditionsOf(own)
  const outside = conditionsOf(other, inside.values.length)
  const compared = `SELECT * FROM verifications WHERE ${inside.where} ORDER BY id DESC LIMIT ${comparedMax}`
  const { rows } = await session.query<Verification>(
    `SELECT ${verificationColumns} FROM (${compared}) AS compared WHERE ${outside.where} ORDER BY id DESC LIMIT ${limit}`,
    [...inside.values, ...outside.values],
  )
  if (rows.length === limit) return { verifications: rows, searchedTo: undefined }
  const { rows: last } = await session.query<{ id: VerificationId }>(
    `SELECT id FROM verifications WHERE ${inside.where} ORDER BY id DESC OFFSET ${comparedMax - 1} LIMIT 1`,
    inside.values,
  )
  return { verifications: rows, searchedTo: last[0]?.id }
}

function conditionsOf(filter: Partial<VerificationFilter>, before = 0): { where: string; values: unknown[] } {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const where = given.map(([name], index) =>
    conditions[name as keyof VerificationFilter].replace('?', `$${before + index + 1}`),
  )
  return { where: where.join(' AND '), values: given.map(([, value]) => value) }
}
