import type { Session } from '../core/database.ts'
import type { UserId } from './user.ts'

export async function replaceRecoveryCodes(
  session: Session,
  userId: UserId,
  digests: readonly Buffer[],
): Promise<void> {
  await session.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId])
  if (digests.length === 0) return
  await session.query('INSERT INTO recovery_codes (user_id, digest) SELECT $1, unnest($2::bytea[])', [userId, digests])
}

export async function countRecoveryCodes(session: Session, userId: UserId): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
    [userId],
  )
  return rows[0]?.count ?? 0
}

// False if there is no such code, or it was used.
export async function useRecoveryCode(session: Session, userId: UserId, digest: Buffer): Promise<boolean> {
  const { rowCount } = await session.query(
    'UPDATE recovery_codes SET used_at = clock_timestamp() WHERE user_id = $1 AND digest = $2 AND used_at IS NULL',
    [userId, digest],
  )
  return rowCount === 1
}

export type Passkey = {
  readonly id: string
  readonly userId: UserId
  readonly name: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly usedAt: Date | null
  readonly createdAt: Date
}

const passkeyColumns = `id, user_id AS "userId", name, public_key AS "publicKey", counter, transports, used_at AS "usedAt",
  created_at AS "createdAt"`

export async function insertPasskey(
  session: Session,
  passkey: Omit<Passkey, 'usedAt' | 'createdAt'>,
): Promise<boolean> {
  const { rowCount } = await session.query(
    `INSERT INTO passkeys (id, user_id, name, public_key, counter, transports) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING`,
    [passkey.id, passkey.userId, passkey.name, passkey.publicKey, passkey.counter, passkey.transports],
  )
  return rowCount === 1
}

export async function listPasskeys(session: Session, userId: UserId): Promise<readonly Passkey[]> {
  const { rows } = await session.query<Passkey>(
    `SELECT ${passkeyColumns} FROM passkeys WHERE user_id = $1 ORDER BY created_at`,
    [userId],
  )
  return rows
}

export async function readPasskey(session: Session, id: string): Promise<Passkey | undefined> {
  const { rows } = await session.query<Passkey>(`SELECT ${passkeyColumns} FROM passkeys WHERE id = $1`, [id])
  return rows[0]
}

export async function notePasskeyUsed(session: Session, id: string, counter: number): Promise<void> {
  await session.query('UPDATE passkeys SET counter = $2, used_at = clock_timestamp() WHERE id = $1', [id, counter])
}

export async function deletePasskey(session: Session, userId: UserId, id: string): Promise<boolean> {
  const { rowCount } = await session.query('DELETE FROM passkeys WHERE user_id = $1 AND id = $2', [userId, id])
  return rowCount === 1
}

export async function putTelegramCode(
  session: Session,
  userId: UserId,
  digest: Buffer,
  validSeconds: number,
): Promise<void> {
  await session.query(
    `INSERT INTO telegram_codes (user_id, digest, valid_until) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
     ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, valid_until = excluded.valid_until`,
    [userId, digest, validSeconds],
  )
}

export async function useTelegramCode(session: Session, userId: UserId, digest: Buffer): Promise<boolean> {
  const { rowCount } = await session.query(
    'DELETE FROM telegram_codes WHERE user_id = $1 AND digest = $2 AND valid_until > clock_timestamp()',
    [userId, digest],
  )
  return rowCount === 1
}
