// The kill switch for all trunks, in the global database.

import type { Session } from '../core/database.ts'

export type TrunkStop = { readonly reason: string; readonly stoppedAt: Date }

export async function readTrunkStop(globalDatabase: Session): Promise<TrunkStop | undefined> {
  const { rows } = await globalDatabase.query<TrunkStop>('SELECT reason, stopped_at AS "stoppedAt" FROM trunk_stops')
  return rows[0]
}

// False if they are already stopped.
export async function insertTrunkStop(globalDatabase: Session, reason: string): Promise<boolean> {
  const { rowCount } = await globalDatabase.query(
    'INSERT INTO trunk_stops (reason) VALUES ($1) ON CONFLICT DO NOTHING',
    [reason],
  )
  return rowCount === 1
}

// Returns the stop that was lifted; undefined if there was none.
export async function deleteTrunkStop(globalDatabase: Session): Promise<TrunkStop | undefined> {
  const { rows } = await globalDatabase.query<TrunkStop>(
    'DELETE FROM trunk_stops RETURNING reason, stopped_at AS "stoppedAt"',
  )
  return rows[0]
}
