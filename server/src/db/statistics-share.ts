// Read-only links to statistics, in the global database.

import type { FrozenFilter } from '../domain/calls/statistics-share.ts'
import type { AccountId } from '../domain/slot.ts'
import type { Session } from './database.ts'
import type { UserId } from './user.ts'

type NewShare = {
  readonly digest: Buffer
  readonly accountId: AccountId
  readonly name: string
  readonly filter: FrozenFilter
  readonly hasMoney: boolean
  readonly createdBy: UserId
  readonly days: number
}

export type StatisticsShare = Omit<NewShare, 'digest' | 'createdBy' | 'days'> & {
  readonly id: number
  // An e-mail; empty if the person is gone.
  readonly createdBy: string
  readonly createdAt: Date
  readonly validUntil: Date
}

const columns = `share.id, share.account_id AS "accountId", share.name, share.filter, share.has_money AS "hasMoney",
  coalesce(creator.email, '') AS "createdBy", share.created_at AS "createdAt", share.valid_until AS "validUntil"`

const found = 'FROM statistics_shares AS share LEFT JOIN users AS creator ON creator.id = share.created_by'

// Undefined if the account has as many as it may. Those that have expired make room.
export async function insertShare(session: Session, share: NewShare, max: number): Promise<number | undefined> {
  const { accountId, digest, name, filter, hasMoney, createdBy, days } = share
  await session.query('DELETE FROM statistics_shares WHERE account_id = $1 AND valid_until < clock_timestamp()', [
    accountId,
  ])
  const { rows } = await session.query<{ id: number }>(
    `INSERT INTO statistics_shares (digest, account_id, name, filter, has_money, created_by, valid_until)
     SELECT $1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(days => $7)
     WHERE (SELECT count(*) FROM statistics_shares WHERE account_id = $2) < $8 RETURNING id`,
    [digest, accountId, name, JSON.stringify(filter), hasMoney, createdBy, days, max],
  )
  return rows[0]?.id
}

// Newest first.
export async function listShares(session: Session, accountId: AccountId): Promise<readonly StatisticsShare[]> {
  const { rows } = await session.query<StatisticsShare>(
    `SELECT ${columns} ${found} WHERE share.account_id = $1 AND share.valid_until > clock_timestamp() ORDER BY share.id DESC`,
    [accountId],
  )
  return rows
}

export async function findShare(session: Session, digest: Buffer): Promise<StatisticsShare | undefined> {
  const { rows } = await session.query<StatisticsShare>(
    `SELECT ${columns} ${found} WHERE share.digest = $1 AND share.valid_until > clock_timestamp()`,
    [digest],
  )
  return rows[0]
}

// False if the account has no such link.
export async function deleteShare(session: Session, accountId: AccountId, id: number): Promise<boolean> {
  const { rowCount } = await session.query('DELETE FROM statistics_shares WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
  ])
  return rowCount === 1
}
