import type { AccountId } from '../../domain/core/slot.ts'
import type { SessionLimits } from '../../domain/people/session.ts'
import { freeFailures } from '../../domain/people/sign-in-throttle.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import type { Session } from '../core/database.ts'
import type { UserId } from './user.ts'

export type WebSession = {
  readonly digest: Buffer
  readonly userId: UserId
  readonly stage: 'second-step' | 'signed-in'
  readonly accountId: AccountId | null
  readonly address: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly seenAt: Date
  // By the database's clock.
  readonly ageSeconds: number
  readonly idleSeconds: number
  readonly confirmedSecondsAgo: number
  // The customer's account that an operator looks at, until then; null: none.
  readonly viewedAccountId: AccountId | null
  readonly viewedUntil: Date | null
}

type NewSession = Pick<WebSession, 'digest' | 'userId' | 'stage' | 'accountId' | 'address' | 'userAgent'>

const columns = `digest, user_id AS "userId", stage, account_id AS "accountId", address, user_agent AS "userAgent",
  created_at AS "createdAt", seen_at AS "seenAt",
  extract(epoch FROM clock_timestamp() - created_at)::float8 AS "ageSeconds",
  extract(epoch FROM clock_timestamp() - seen_at)::float8 AS "idleSeconds",
  extract(epoch FROM clock_timestamp() - confirmed_at)::float8 AS "confirmedSecondsAgo",
  CASE WHEN viewed_until > clock_timestamp() THEN viewed_account_id END AS "viewedAccountId", viewed_until AS "viewedUntil"`

export async function insertWebSession(session: Session, row: NewSession): Promise<void> {
  await session.query(
    `INSERT INTO web_sessions (digest, user_id, stage, account_id, address, user_agent) VALUES ($1, $2, $3, $4, $5, $6)`,
    [row.digest, row.userId, row.stage, row.accountId, row.address, row.userAgent],
  )
}

export async function readWebSession(session: Session, digest: Buffer): Promise<WebSession | undefined> {
  const { rows } = await session.query<WebSession>(`SELECT ${columns} FROM web_sessions WHERE digest = $1`, [digest])
  return rows[0]
}

// Those that have not expired, the one seen last first.
export async function listWebSessions(
  session: Session,
  userId: UserId,
  { idleSeconds, ageSeconds }: SessionLimits,
): Promise<readonly WebSession[]> {
  const { rows } = await session.query<WebSession>(
    `SELECT ${columns} FROM web_sessions WHERE user_id = $1 AND stage = 'signed-in'
       AND seen_at > clock_timestamp() - make_interval(secs => $2)
       AND created_at > clock_timestamp() - make_interval(secs => $3)
     ORDER BY seen_at DESC`,
    [userId, idleSeconds, ageSeconds],
  )
  return rows
}

// At most once a minute: every request of a page would write otherwise.
export async function touchWebSession(session: Session, digest: Buffer, address: string): Promise<void> {
  await session.query(
    `UPDATE web_sessions SET seen_at = clock_timestamp(), address = $2
     WHERE digest = $1 AND seen_at < clock_timestamp() - interval '1 minute'`,
    [digest, address],
  )
}

export async function confirmWebSession(session: Session, digest: Buffer): Promise<void> {
  await session.query('UPDATE web_sessions SET confirmed_at = clock_timestamp() WHERE digest = $1', [digest])
}

export async function chooseAccount(session: Session, digest: Buffer, accountId: AccountId): Promise<void> {
  await session.query('UPDATE web_sessions SET account_id = $2 WHERE digest = $1', [digest, accountId])
}

export async function startView(
  session: Session,
  digest: Buffer,
  accountId: AccountId,
  seconds: number,
): Promise<void> {
  await session.query(
    `UPDATE web_sessions SET viewed_account_id = $2, viewed_until = clock_timestamp() + make_interval(secs => $3)
     WHERE digest = $1`,
    [digest, accountId, seconds],
  )
}

export async function endView(session: Session, digest: Buffer): Promise<void> {
  await session.query('UPDATE web_sessions SET viewed_account_id = NULL, viewed_until = NULL WHERE digest = $1', [
    digest,
  ])
}

export async function deleteWebSession(session: Session, digest: Buffer): Promise<boolean> {
  const { rowCount } = await session.query('DELETE FROM web_sessions WHERE digest = $1', [digest])
  return rowCount === 1
}

// All of a user, or all but one.
export async function deleteWebSessions(session: Session, userId: UserId, except?: Buffer): Promise<number> {
  const { rowCount } = await session.query(
    'DELETE FROM web_sessions WHERE user_id = $1 AND ($2::bytea IS NULL OR digest <> $2)',
    [userId, except ?? null],
  )
  return rowCount ?? 0
}

// What can no longer be used.
export async function deleteExpired(session: Session, { ageSeconds }: SessionLimits): Promise<void> {
  await session.query('DELETE FROM web_sessions WHERE created_at < clock_timestamp() - make_interval(secs => $1)', [
    ageSeconds,
  ])
  await session.query('DELETE FROM one_time_links WHERE valid_until < clock_timestamp() - make_interval(secs => $1)', [
    secondsOf(retention.oneTimeLinks.kept),
  ])
  await session.query(
    `DELETE FROM sign_in_failures WHERE failed_at < clock_timestamp() - make_interval(secs => $1)
       OR (total < $3 AND failed_at < clock_timestamp() - make_interval(secs => $2))`,
    [secondsOf(retention.signInFailures.kept), secondsOf(retention.fewSignInFailures.kept), freeFailures],
  )
}
