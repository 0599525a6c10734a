import type { ServiceId } from '../domain/slot.ts'
import type { Session } from './database.ts'

// Makes the key the newest one of its service. The one before stays good for a while, older ones end at once: at most
// two are good at any time. The caller holds the service's lock.
export async function replaceApiKey(
  session: Session,
  serviceId: ServiceId,
  digest: Buffer,
  overlapSeconds: number,
): Promise<void> {
  await session.query('DELETE FROM api_keys WHERE service_id = $1 AND valid_until IS NOT NULL', [serviceId])
  if (overlapSeconds === 0) {
    await session.query('DELETE FROM api_keys WHERE service_id = $1', [serviceId])
  } else {
    await session.query(
      'UPDATE api_keys SET valid_until = clock_timestamp() + make_interval(secs => $2) WHERE service_id = $1',
      [serviceId, overlapSeconds],
    )
  }
  await session.query('INSERT INTO api_keys (service_id, digest) VALUES ($1, $2)', [serviceId, digest])
}

// Digests of the keys that are good now, newest first.
export async function readApiKeys(session: Session, serviceId: ServiceId): Promise<readonly Buffer[]> {
  const { rows } = await session.query<{ digest: Buffer }>(
    `SELECT digest FROM api_keys
     WHERE service_id = $1 AND (valid_until IS NULL OR valid_until > clock_timestamp())
     ORDER BY created_at DESC`,
    [serviceId],
  )
  return rows.map(({ digest }) => digest)
}
