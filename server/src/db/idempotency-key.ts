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
