import type { ConfirmationNumber } from '../domain/trunks/confirmation-number.ts'
import type { Session } from './database.ts'

export async function readConfirmationNumbers(globalDatabase: Session): Promise<readonly ConfirmationNumber[]> {
  const { rows } = await globalDatabase.query<ConfirmationNumber>(
    'SELECT number, trunk, slot FROM confirmation_numbers ORDER BY number',
  )
  return rows
}

// Adding numbers needs a view of all existing ones. Readers do not wait.
export async function lockConfirmationNumbers(globalDatabase: Session): Promise<void> {
  await globalDatabase.query('LOCK TABLE confirmation_numbers IN SHARE ROW EXCLUSIVE MODE')
}

// False if the number already exists.
export async function insertConfirmationNumber(
  globalDatabase: Session,
  number: number,
  trunk: string,
  slot: number,
): Promise<boolean> {
  const { rowCount } = await globalDatabase.query(
    'INSERT INTO confirmation_numbers (number, trunk, slot) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [number, trunk, slot],
  )
  return rowCount === 1
}
