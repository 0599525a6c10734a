// Each telephony node's view of its trunks.

import type { NodeReport, NodeView, RecentCalls } from '../../domain/trunks/trunk-health.ts'
import type { Session } from '../core/database.ts'

export type TrunkStateRow = {
  readonly trunk: string
  readonly node: string
  readonly isUp: boolean
  readonly reason: string
}

// What a node has measured, for the console.
type TrunkFacts = {
  readonly rttMs: number | null
  readonly optionsStatus: number | null
  readonly registerStatus: number | null
  // For the carrier's allow-list.
  readonly ourAddress: string | null
  readonly activeCalls: number
  readonly callsPerSecond: number
  // Of the last hour.
  readonly calls: RecentCalls
}

export type TrunkReport = TrunkStateRow & NodeView & { readonly facts: TrunkFacts }

// changed_at is when the cause became what it is.
export async function writeTrunkStates(globalDatabase: Session, reports: readonly TrunkReport[]): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO trunk_states (trunk, node, is_up, reason, state, cause, sip_status, facts)
     SELECT s.trunk, s.node, s."isUp", s.reason, s.state, s.cause, s.status, s.facts
     FROM jsonb_to_recordset($1) AS s(trunk text, node text, "isUp" boolean, reason text, state text, cause text,
       status smallint, facts jsonb)
     WHERE s.trunk IN (SELECT name FROM trunks)
     ON CONFLICT (trunk, node) DO UPDATE
     SET (is_up, reason, state, cause, sip_status, facts, seen_at, changed_at) = ROW (excluded.is_up, excluded.reason,
       excluded.state, excluded.cause, excluded.sip_status, excluded.facts, excluded.seen_at,
       CASE WHEN trunk_states.cause = excluded.cause THEN trunk_states.changed_at ELSE excluded.changed_at END)`,
    [JSON.stringify(reports)],
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

export type ReadReport = NodeReport & { readonly trunk: string; readonly facts: TrunkFacts }

// Of the last day: a node that fell silent is shown as such, one that was removed is forgotten.
export async function readTrunkReports(globalDatabase: Session): Promise<readonly ReadReport[]> {
  const { rows } = await globalDatabase.query<ReadReport>(
    `SELECT trunk, node, state, cause, sip_status AS status, facts,
            (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS "ageMs",
            (extract(epoch FROM clock_timestamp() - changed_at) * 1000)::float8 AS "changedAgoMs"
     FROM trunk_states WHERE seen_at > clock_timestamp() - interval '1 day' AND facts <> '{}' ORDER BY trunk, node`,
  )
  return rows
}

// Counts inbound UDP calls whose sender acknowledged our reply, and those whose sender did not.

type ReturnPathCount = { readonly trunk: string; readonly confirmed: number; readonly unconfirmed: number }

// Returns the trunks that enforce from now on.
export async function addReturnPathCounts(
  globalDatabase: Session,
  counts: readonly ReturnPathCount[],
  confirmedToEnforce: number,
): Promise<readonly string[]> {
  const { rows } = await globalDatabase.query<{ trunk: string }>('SELECT count_return_paths($1, $2) AS trunk', [
    JSON.stringify(counts),
    confirmedToEnforce,
  ])
  return rows.map(({ trunk }) => trunk)
}

export async function readReturnPathCounts(globalDatabase: Session): Promise<readonly ReturnPathCount[]> {
  const { rows } = await globalDatabase.query<ReturnPathCount>(
    'SELECT trunk, confirmed::float8, unconfirmed::float8 FROM trunk_return_paths',
  )
  return rows
}

// A trunk set back to "record" has to show again that its carrier confirms.
export async function forgetReturnPathCounts(globalDatabase: Session, trunk: string): Promise<void> {
  await globalDatabase.query('DELETE FROM trunk_return_paths WHERE trunk = $1', [trunk])
}
