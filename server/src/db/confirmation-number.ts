import type { ConfirmationNumber } from '../domain/confirmation-number.ts'
import type { Session } from './database.ts'

export async function readConfirmationNumbers(home: Session): Promise<readonly ConfirmationNumber[]> {
  const { rows } = await home.query<ConfirmationNumber>(
    'SELECT number, trunk, slot FROM confirmation_numbers ORDER BY number',
  )
  return rows
}

// Whoever adds some must see those of everybody else. Readers do not wait.
export async function lockConfirmationNumbers(home: Session): Promise<void> {
  await home.query('LOCK TABLE confirmation_numbers IN SHARE ROW EXCLUSIVE MODE')
}

// False when the number is there already.
export async function insertConfirmationNumber(
  home: Session,
  number: number,
  trunk: string,
  slot: number,
): Promise<boolean> {
  const { rowCount } = await home.query(
    'INSERT INTO confirmation_numbers (number, trunk, slot) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [number, trunk, slot],
  )
  return rowCount === 1
}
