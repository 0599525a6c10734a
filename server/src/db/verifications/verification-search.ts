// Lists of verifications, newest first. The ID serves every list: of an account by its index, of all accounts by the range of
// IDs alone, which bounds what is read.

import type { VerificationId } from '../../domain/core/slot.ts'
import type { VerificationFilter } from '../../domain/verifications/verification-filter.ts'
import { conditionsOf } from '../core/conditions.ts'
import type { Session } from '../core/database.ts'
import { type Verification, verificationColumns } from './verification.ts'
import { inVerifications } from './verification-filter.ts'

export type Found = {
  readonly verifications: readonly Verification[]
  // Everything from this ID on was searched; undefined: the whole range was.
  readonly searchedTo: VerificationId | undefined
}

// A rare kind among many verifications is not searched for to the end.
export async function findVerifications(session: Session, filter: VerificationFilter, limit: number): Promise<Found> {
  const { firstId, endId, accountId, isTest, ...other } = filter
  const isIndexed = [other.ids, other.phoneHashes, other.clientDigests].some((values) => values !== undefined)
  const isWhole = Object.values(other).every((value) => value === undefined)
  if (!isIndexed && !isWhole) {
    return compareVerifications(session, { firstId, endId, accountId, isTest }, other, limit)
  }
  return { verifications: await searchVerifications(session, filter, limit), searchedTo: undefined }
}

export async function searchVerifications(
  session: Session,
  filter: VerificationFilter,
  limit: number,
): Promise<readonly Verification[]> {
  const { where, values } = conditionsOf(inVerifications, filter)
  const { rows } = await session.query<Verification>(
    `SELECT ${verificationColumns} FROM verifications WHERE ${where} ORDER BY id DESC LIMIT ${limit}`,
    values,
  )
  return rows
}

// So many of an account, or of all accounts, are compared with the other conditions at once, whatever they are: 60 to 80 ms.
const comparedMax = 15_000

// Verifications that meet conditions without an index. Of a rare kind there may be none among those compared.
async function compareVerifications(
  session: Session,
  own: Pick<VerificationFilter, 'firstId' | 'endId' | 'accountId' | 'isTest'>,
  other: Omit<VerificationFilter, keyof typeof own>,
  limit: number,
): Promise<Found> {
  const inside = conditionsOf(inVerifications, own)
  const outside = conditionsOf(inVerifications, other, inside.values.length)
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
