import type { ServiceId, VerificationId } from '../domain/slot.ts'
import type { Session } from './database.ts'

export async function findIdempotencyKey(
  session: Session,
  serviceId: ServiceId,
  digests: readonly Buffer[],
): Promise<VerificationId | undefined> {
  const { rows } = await session.query<{ id: VerificationId }>(
    'SELECT id FROM idempotency_keys WHERE service_id = $1 AND digest = ANY ($2)',
    [serviceId, digests],
  )
  return rows[0]?.id
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
