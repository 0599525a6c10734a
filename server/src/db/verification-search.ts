// Lists of verifications, newest first, for operators. No index but the ID serves them, because an index would slow down every
// accept: the range of IDs bounds what is read.

import type { AccountId, IdRange, ServiceId, VerificationId } from '../domain/slot.ts'
import type { Session } from './database.ts'
import { type Verification, verificationColumns } from './verification.ts'

export type VerificationFilter = IdRange & {
  readonly ids?: readonly VerificationId[] | undefined
  readonly accountId?: AccountId | undefined
  readonly serviceId?: ServiceId | undefined
  readonly state?: Verification['state'] | undefined
  readonly mode?: Verification['mode'] | undefined
  readonly phoneHashes?: readonly Buffer[] | undefined
}

export async function searchVerifications(
  session: Session,
  filter: VerificationFilter,
  limit: number,
): Promise<readonly Verification[]> {
  return search<Verification>(session, verificationColumns, filter, limit)
}

// Only what is needed to decrypt many of them.
export async function readPersons(
  session: Session,
  filter: VerificationFilter,
  limit: number,
): Promise<readonly Pick<Verification, 'id' | 'serviceId' | 'personSealed'>[]> {
  const columns = 'id, service_id AS "serviceId", person_sealed AS "personSealed"'
  return search<Pick<Verification, 'id' | 'serviceId' | 'personSealed'>>(session, columns, filter, limit)
}

async function search<Row extends object>(
  session: Session,
  columns: string,
  { firstId, endId, ids, accountId, serviceId, state, mode, phoneHashes }: VerificationFilter,
  limit: number,
): Promise<readonly Row[]> {
  const { rows } = await session.query<Row>(
    `SELECT ${columns} FROM verifications
     WHERE id >= $1 AND id < $2 AND ($3::bigint[] IS NULL OR id = ANY ($3))
       AND ($4::integer IS NULL OR account_id = $4) AND ($5::integer IS NULL OR service_id = $5)
       AND ($6::verification_state IS NULL OR state = $6) AND ($7::verification_mode IS NULL OR mode = $7)
       AND ($8::bytea[] IS NULL OR phone_hash = ANY ($8))
     ORDER BY id DESC LIMIT $9`,
    [
      firstId,
      endId,
      ids ?? null,
      accountId ?? null,
      serviceId ?? null,
      state ?? null,
      mode ?? null,
      phoneHashes ?? null,
      limit,
    ],
  )
  return rows
}
