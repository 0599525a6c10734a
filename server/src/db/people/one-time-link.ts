import type { AccountId } from '../../domain/core/slot.ts'
import { type LinkKind, linkLife } from '../../domain/people/session.ts'
import { secondsOf } from '../../domain/values/period.ts'
import type { Session } from '../core/database.ts'
import type { UserId } from './user.ts'

export type OneTimeLink = {
  readonly email: string
  readonly userId: UserId | null
  readonly accountId: AccountId | null
  readonly payload: Readonly<Record<string, string>>
  readonly createdAt: Date
  readonly validUntil: Date
}

type NewLink = {
  readonly digest: Buffer
  readonly kind: LinkKind
  readonly email: string
  readonly userId?: UserId | undefined
  readonly accountId?: AccountId | undefined
  readonly payload?: Readonly<Record<string, string>>
}

const columns = `email, user_id AS "userId", account_id AS "accountId", payload, created_at AS "createdAt",
  valid_until AS "validUntil"`

export async function insertLink(session: Session, link: NewLink): Promise<Date> {
  // Only the digest of four digits can be there already: then it lasts longer.
  const { rows } = await session.query<{ validUntil: Date }>(
    `INSERT INTO one_time_links (digest, kind, email, user_id, account_id, payload, valid_until)
     VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7))
     ON CONFLICT (digest) DO UPDATE SET valid_until = excluded.valid_until RETURNING valid_until AS "validUntil"`,
    [
      link.digest,
      link.kind,
      link.email,
      link.userId ?? null,
      link.accountId ?? null,
      JSON.stringify(link.payload ?? {}),
      secondsOf(linkLife[link.kind]),
    ],
  )
  const [row] = rows
  if (!row) throw new Error('the link was not stored')
  return row.validUntil
}

export async function readLink(session: Session, kind: LinkKind, digest: Buffer): Promise<OneTimeLink | undefined> {
  const { rows } = await session.query<OneTimeLink>(
    `SELECT ${columns} FROM one_time_links WHERE digest = $1 AND kind = $2 AND valid_until > clock_timestamp()`,
    [digest, kind],
  )
  return rows[0]
}

// Deletes it: of two who use it at once, one gets it. All other links of this kind for the e-mail stop working too.
export async function useLink(session: Session, kind: LinkKind, digest: Buffer): Promise<OneTimeLink | undefined> {
  const { rows } = await session.query<OneTimeLink>(
    `DELETE FROM one_time_links WHERE digest = $1 AND kind = $2 AND valid_until > clock_timestamp() RETURNING ${columns}`,
    [digest, kind],
  )
  const [link] = rows
  if (link && link.email !== '') {
    await session.query(
      'DELETE FROM one_time_links WHERE kind = $1 AND email = $2 AND account_id IS NOT DISTINCT FROM $3',
      [kind, link.email, link.accountId],
    )
  }
  return link
}

// False if it was used before.
export async function insertUsedChallenge(session: Session, digest: Buffer): Promise<boolean> {
  const { rowCount } = await session.query(
    `INSERT INTO one_time_links (digest, kind, email, valid_until)
     VALUES ($1, 'challenge', '', clock_timestamp() + make_interval(secs => $2)) ON CONFLICT DO NOTHING`,
    [digest, secondsOf(linkLife.challenge)],
  )
  return rowCount === 1
}

export async function listInvitations(session: Session, accountId: AccountId): Promise<readonly OneTimeLink[]> {
  const { rows } = await session.query<OneTimeLink>(
    `SELECT ${columns} FROM one_time_links
     WHERE account_id = $1 AND kind = 'invitation' AND valid_until > clock_timestamp() ORDER BY created_at`,
    [accountId],
  )
  return rows
}

export async function deleteOwnPhoneLinks(session: Session, accountId: AccountId): Promise<void> {
  await session.query(`DELETE FROM one_time_links WHERE account_id = $1 AND kind = 'own-phone'`, [accountId])
}

export async function deleteOperatorLinks(session: Session, email: string): Promise<void> {
  await session.query(`DELETE FROM one_time_links WHERE kind = 'operator' AND email = $1`, [email])
}

export async function deleteInvitations(session: Session, accountId: AccountId, email: string): Promise<boolean> {
  const { rowCount } = await session.query(
    `DELETE FROM one_time_links WHERE account_id = $1 AND kind = 'invitation' AND email = $2`,
    [accountId, email],
  )
  return rowCount !== 0
}
