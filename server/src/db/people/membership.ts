import type { MemberRole } from '@ringproof/contract/web/access.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'
import type { UserId } from './user.ts'

export type Membership = { readonly accountId: AccountId; readonly role: MemberRole }

type Member = {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  readonly hasFactor: boolean
  readonly since: Date
}

// The oldest first: it is the account that a person starts with.
export async function listMemberships(session: Session, userId: UserId): Promise<readonly Membership[]> {
  const { rows } = await session.query<Membership>(
    'SELECT account_id AS "accountId", role FROM memberships WHERE user_id = $1 ORDER BY created_at, account_id',
    [userId],
  )
  return rows
}

export async function listMembers(session: Session, accountId: AccountId): Promise<readonly Member[]> {
  const { rows } = await session.query<Member>(
    `SELECT u.id AS "userId", u.email, u.name, m.role, m.created_at AS since,
            u.totp_since IS NOT NULL OR u.telegram_since IS NOT NULL OR EXISTS (SELECT FROM passkeys AS p WHERE p.user_id = u.id)
              AS "hasFactor"
     FROM memberships AS m JOIN users AS u ON u.id = m.user_id WHERE m.account_id = $1 ORDER BY m.created_at, u.id`,
    [accountId],
  )
  return rows
}

// Locks the account's members, so that two owners cannot remove each other at the same time.
export async function lockMembers(session: Session, accountId: AccountId): Promise<readonly Member[]> {
  await session.query('SELECT FROM memberships WHERE account_id = $1 ORDER BY user_id FOR UPDATE', [accountId])
  return listMembers(session, accountId)
}

// Sets the role if the user is a member already.
export async function putMembership(session: Session, userId: UserId, { accountId, role }: Membership): Promise<void> {
  await session.query(
    `INSERT INTO memberships (user_id, account_id, role) VALUES ($1, $2, $3)
     ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role`,
    [userId, accountId, role],
  )
}

export async function deleteMembership(session: Session, userId: UserId, accountId: AccountId): Promise<void> {
  await session.query('DELETE FROM memberships WHERE user_id = $1 AND account_id = $2', [userId, accountId])
}
