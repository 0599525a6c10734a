// The chain of hashes over the action log. The database extends it; it is checked here, by a program that the database cannot change.

import type { Session } from '../core/database.ts'

type ChainHead = { readonly sequence: number; readonly hash: Buffer }

// The head, and how many entries were added.
export async function chainActions(session: Session, batch: number): Promise<ChainHead & { readonly added: number }> {
  const { rows } = await session.query<ChainHead & { added: number }>(
    'SELECT sequence::float8 AS sequence, hash, added FROM chain_actions($1)',
    [batch],
  )
  if (!rows[0]) throw new RangeError('chain_actions returned no head')
  return rows[0]
}

// The last link; undefined: nothing is chained yet.
export async function readChainHead(session: Session): Promise<(ChainHead & { readonly chainedAt: Date }) | undefined> {
  const { rows } = await session.query<ChainHead & { chainedAt: Date }>(
    `SELECT sequence::float8 AS sequence, hash, chained_at AS "chainedAt" FROM action_chain ORDER BY sequence DESC LIMIT 1`,
  )
  return rows[0]
}

type ChainLink = {
  readonly sequence: number
  readonly entryId: number
  readonly hash: Buffer
  // What the hash covers; null: the entry is gone.
  readonly body: string | null
}

export async function readChain(session: Session, afterSequence: number, limit: number): Promise<readonly ChainLink[]> {
  const { rows } = await session.query<ChainLink>(
    `SELECT link.sequence::float8 AS sequence, link.entry_id::float8 AS "entryId", link.hash,
       CASE WHEN log.id IS NOT NULL THEN
         jsonb_build_array(log.id, log.account_id, log.action, log.details, log.address, log.user_agent, log.operator,
           (extract(epoch FROM log.created_at) * 1000000)::bigint)::text
       END AS body
     FROM action_chain AS link LEFT JOIN action_log AS log ON log.id = link.entry_id
     WHERE link.sequence > $1 ORDER BY link.sequence LIMIT $2`,
    [afterSequence, limit],
  )
  return rows
}

// Entries that should have been chained long ago.
export async function countUnchained(session: Session): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM action_log AS log
     WHERE created_at < clock_timestamp() - interval '10 minutes'
       AND NOT EXISTS (SELECT FROM action_chain AS link WHERE link.entry_id = log.id)`,
  )
  return rows[0]?.count ?? 0
}
