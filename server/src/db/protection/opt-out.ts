// Subscribers who opted out of calls, in the database of their number. accept_calls and reserve_numbers check it themselves;
// these functions are for operators and for numbers kept in another database.

import type { Session } from '../core/database.ts'

export async function isOptedOut(session: Session, digest: Buffer): Promise<boolean> {
  const { rowCount } = await session.query('SELECT FROM opt_outs WHERE digest = $1', [digest])
  return rowCount === 1
}

export async function readOptOut(session: Session, digest: Buffer): Promise<Date | undefined> {
  const { rows } = await session.query<{ at: Date }>('SELECT created_at AS at FROM opt_outs WHERE digest = $1', [
    digest,
  ])
  return rows[0]?.at
}

// False if it already exists.
export async function insertOptOut(session: Session, digest: Buffer): Promise<boolean> {
  const { rowCount } = await session.query('INSERT INTO opt_outs (digest) VALUES ($1) ON CONFLICT DO NOTHING', [digest])
  return rowCount === 1
}

// False if there was none.
export async function deleteOptOut(session: Session, digest: Buffer): Promise<boolean> {
  const { rowCount } = await session.query('DELETE FROM opt_outs WHERE digest = $1', [digest])
  return rowCount === 1
}

// Up to the limit: the list may be long.
export async function countOptOuts(session: Session, limit: number): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    'SELECT count(*)::float8 AS count FROM (SELECT FROM opt_outs LIMIT $1) AS counted',
    [limit],
  )
  return rows[0]?.count ?? 0
}
