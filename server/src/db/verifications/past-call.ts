// Placed calls, as fraud rules are replayed on them. Reads are short and bounded: a range of IDs by the primary key, a page at a time.

import type { IdRange } from '../../domain/core/slot.ts'
import type { PastCall } from '../../domain/protection/replay-rule.ts'
import type { Session } from '../core/database.ts'

// How many verifications the range has, counted up to the limit.
export async function countVerifications(
  session: Session,
  { firstId, endId }: IdRange,
  limit: number,
): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*)::float8 AS count
     FROM (SELECT FROM verifications WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3) AS counted`,
    [firstId, endId, limit],
  )
  return rows[0]?.count ?? 0
}

type Row = PastCall & { readonly isReplayed: boolean }

// A page, oldest first; `lastId` is undefined after the last page. Left out are test calls, and accepts that were undone.
export async function readPastCalls(
  session: Session,
  { firstId, endId }: IdRange,
  limit: number,
): Promise<{ readonly calls: readonly PastCall[]; readonly lastId: number | undefined }> {
  const { rows } = await session.query<Row>(
    `SELECT id::float8 AS id, service_id AS "serviceId", prefix::float8 AS prefix, country,
       encode(substring(phone_hash FOR 12), 'base64') AS phone,
       (extract(epoch FROM accepted_at) * 1000)::float8 AS "atMs", state = 'succeeded' AS "isSucceeded",
       is_conclusive(state, reason, sip_status) AS "isConclusive",
       NOT is_test AND prefix IS NOT NULL AND coalesce(reason, '') <> 'not-dispatched' AS "isReplayed"
     FROM verifications WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3`,
    [firstId, endId, limit],
  )
  return {
    calls: rows.filter(({ isReplayed }) => isReplayed),
    lastId: rows.length < limit ? undefined : rows.at(-1)?.id,
  }
}
