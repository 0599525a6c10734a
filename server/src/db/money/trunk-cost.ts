import type { TrunkCost } from '../../domain/money/margin.ts'
import type { Session } from '../core/database.ts'

// By trunk, mode and country, the oldest first.
export async function readTrunkCosts(globalDatabase: Session): Promise<readonly TrunkCost[]> {
  const { rows } = await globalDatabase.query<TrunkCost>(
    `SELECT trunk, mode, country, cost, valid_from AS "validFrom" FROM trunk_costs ORDER BY trunk, mode, country, valid_from`,
  )
  return rows
}

// In force from the given time, or from now by the database's clock. Undefined if there is one from exactly that time.
export async function insertTrunkCost(
  globalDatabase: Session,
  { trunk, mode, country, cost, validFrom }: Omit<TrunkCost, 'validFrom'> & { readonly validFrom: Date | undefined },
): Promise<Date | undefined> {
  const { rows } = await globalDatabase.query<{ validFrom: Date }>(
    `INSERT INTO trunk_costs (trunk, mode, country, cost, valid_from) VALUES ($1, $2, $3, $4, coalesce($5, clock_timestamp()))
     ON CONFLICT DO NOTHING RETURNING valid_from AS "validFrom"`,
    [trunk, mode, country, cost, validFrom ?? null],
  )
  return rows[0]?.validFrom
}
