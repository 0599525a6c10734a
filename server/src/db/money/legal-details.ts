import type { AccountId } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'

export async function readLegalDetails(session: Session, accountId: AccountId): Promise<Buffer | undefined> {
  const { rows } = await session.query<{ sealed: Buffer }>(
    'SELECT details_sealed AS sealed FROM legal_details WHERE id = $1',
    [accountId],
  )
  return rows[0]?.sealed
}

export async function writeLegalDetails(session: Session, accountId: AccountId, sealed: Buffer): Promise<void> {
  await session.query(
    `INSERT INTO legal_details (id, details_sealed) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET details_sealed = excluded.details_sealed, changed_at = clock_timestamp()`,
    [accountId, sealed],
  )
}
