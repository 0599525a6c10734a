// Each telephony node's view of its trunks.

import type { Session } from './database.ts'

export type TrunkStateRow = {
  readonly trunk: string
  readonly node: string
  readonly isUp: boolean
  readonly reason: string
}

export async function writeTrunkStates(globalDatabase: Session, states: readonly TrunkStateRow[]): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO trunk_states (trunk, node, is_up, reason)
     SELECT s.trunk, s.node, s."isUp", s.reason
     FROM jsonb_to_recordset($1) AS s(trunk text, node text, "isUp" boolean, reason text)
     WHERE s.trunk IN (SELECT name FROM trunks)
     ON CONFLICT (trunk, node) DO UPDATE
     SET (is_up, reason, seen_at) = ROW (excluded.is_up, excluded.reason, excluded.seen_at)`,
    [JSON.stringify(states)],
  )
}

// Only from nodes that reported in the last 30 seconds.
export async function readTrunkStates(globalDatabase: Session): Promise<readonly TrunkStateRow[]> {
  const { rows } = await globalDatabase.query<TrunkStateRow>(
    `SELECT trunk, node, is_up AS "isUp", reason FROM trunk_states
     WHERE seen_at > clock_timestamp() - interval '30 seconds' ORDER BY trunk, node`,
  )
  return rows
}
