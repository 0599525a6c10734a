import type { KeyScope, StoredKey } from '../../domain/accounts/api-key.ts'
import type { AccountId, ServiceId } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'

export type ApiKey = {
  readonly name: string
  readonly start: string
  readonly digest: Buffer
  readonly scopes: readonly KeyScope[]
  readonly validUntil: Date | null
  // After a rotation, while the old key is still valid.
  readonly isReplaced: boolean
  readonly isValid: boolean
  readonly lastUsedAt: Date | null
  readonly createdAt: Date
}

export async function insertApiKey(
  session: Session,
  serviceId: ServiceId,
  key: StoredKey,
  expiresSeconds: number | null,
): Promise<void> {
  await session.query(
    `INSERT INTO api_keys (service_id, digest, name, start, scopes, valid_until)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6))`,
    [serviceId, key.digest, key.name, key.start, key.scopes, expiresSeconds],
  )
}

// Replaces the key of this name; the new key inherits its scopes and expiry. The old key stays valid for the overlap, but no
// longer than it would have been; still older ones are deleted. The calling code holds the service's lock.
export async function replaceApiKey(
  session: Session,
  serviceId: ServiceId,
  key: StoredKey,
  overlapSeconds: number,
): Promise<void> {
  const { name, digest, start, scopes } = key
  await session.query('DELETE FROM api_keys WHERE service_id = $1 AND name = $2 AND replaced_at IS NOT NULL', [
    serviceId,
    name,
  ])
  const { rows } = await session.query<{ validUntil: Date | null }>(
    `UPDATE api_keys AS k SET replaced_at = clock_timestamp(),
       valid_until = least(k.valid_until, clock_timestamp() + make_interval(secs => $3))
     FROM api_keys AS before
     WHERE k.service_id = $1 AND k.name = $2 AND before.service_id = k.service_id AND before.digest = k.digest
     RETURNING before.valid_until AS "validUntil"`,
    [serviceId, name, overlapSeconds],
  )
  await session.query(
    'INSERT INTO api_keys (service_id, digest, name, start, scopes, valid_until) VALUES ($1, $2, $3, $4, $5, $6)',
    [serviceId, digest, name, start, scopes, rows[0]?.validUntil ?? null],
  )
}

// Newest first, including expired keys. A key replaced by a rotation is listed while it is still valid.
export async function listApiKeys(session: Session, serviceId: ServiceId): Promise<readonly ApiKey[]> {
  const { rows } = await session.query<ApiKey>(
    `SELECT name, start, digest, scopes, valid_until AS "validUntil", replaced_at IS NOT NULL AS "isReplaced",
            coalesce(valid_until > clock_timestamp(), true) AS "isValid", last_used_at AS "lastUsedAt",
            created_at AS "createdAt"
     FROM api_keys WHERE service_id = $1 AND (replaced_at IS NULL OR valid_until > clock_timestamp())
     ORDER BY created_at DESC`,
    [serviceId],
  )
  return rows
}

// Returns how many there were.
export async function deleteKeysOfAccount(session: Session, accountId: AccountId): Promise<number> {
  const { rowCount } = await session.query(
    'DELETE FROM api_keys WHERE service_id IN (SELECT id FROM services WHERE account_id = $1)',
    [accountId],
  )
  return rowCount ?? 0
}

// Also deletes the key that it replaced.
export async function deleteApiKey(session: Session, serviceId: ServiceId, name: string): Promise<boolean> {
  const { rowCount } = await session.query('DELETE FROM api_keys WHERE service_id = $1 AND name = $2', [
    serviceId,
    name,
  ])
  return rowCount !== 0
}

// Ends the overlap of a rotation before its time.
export async function deleteReplacedKeys(session: Session, serviceId: ServiceId, name: string): Promise<boolean> {
  const { rowCount } = await session.query(
    'DELETE FROM api_keys WHERE service_id = $1 AND name = $2 AND replaced_at IS NOT NULL',
    [serviceId, name],
  )
  return rowCount !== 0
}
