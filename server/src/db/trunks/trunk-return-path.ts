// Counts inbound UDP calls whose sender acknowledged our reply, and those whose sender did not.

import type { Session } from '../core/database.ts'

export type ReturnPathCount = { readonly trunk: string; readonly confirmed: number; readonly unconfirmed: number }

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
