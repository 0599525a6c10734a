import type { AccountId, ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'

// A key of a service, as its digests under every ring key still in use.
export type IdempotencyKey = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly keyDigests: readonly Buffer[]
}

// The verification of each key; undefined while the key is free.
export async function readIdempotencyKeys(
  session: Session,
  keys: readonly IdempotencyKey[],
): Promise<readonly (VerificationId | undefined)[]> {
  const wanted = keys.flatMap(({ serviceId, keyDigests }, place) =>
    keyDigests.map((digest) => ({ serviceId, digest, place })),
  )
  const { rows } = await session.query<{ place: number; id: VerificationId }>({
    name: 'find-idempotency-keys',
    text: 'SELECT place, id FROM find_idempotency_keys($1, $2, $3)',
    values: [
      wanted.map(({ serviceId }) => serviceId),
      wanted.map(({ digest }) => digest),
      wanted.map(({ place }) => place),
    ],
  })
  const found = new Map(rows.map(({ place, id }) => [place, id]))
  return keys.map((_, place) => found.get(place))
}

// The verifications of any of these keys.
export async function findIdempotencyKeys(
  session: Session,
  keys: readonly { readonly serviceId: ServiceId; readonly digest: Buffer }[],
): Promise<readonly VerificationId[]> {
  const { rows } = await session.query<{ id: VerificationId }>(
    `SELECT used.id FROM unnest($1::integer[], $2::bytea[]) AS wanted(service_id, digest)
     JOIN idempotency_keys AS used USING (service_id, digest)`,
    [keys.map(({ serviceId }) => serviceId), keys.map(({ digest }) => digest)],
  )
  return rows.map(({ id }) => id)
}
