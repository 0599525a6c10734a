import type { ConfirmationNumber } from '../../domain/trunks/confirmation-number.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import type { Session } from '../core/database.ts'

export async function readConfirmationNumbers(globalDatabase: Session): Promise<readonly ConfirmationNumber[]> {
  const { rows } = await globalDatabase.query<ConfirmationNumber>(
    `SELECT number, trunk, slot, removed_at IS NOT NULL AS "isRemoved" FROM confirmation_numbers
     WHERE removed_at IS NULL OR removed_at > clock_timestamp() - ${removedFor} ORDER BY number`,
  )
  return rows
}

const removedFor = `make_interval(secs => ${secondsOf(retention.removedNumbers.kept)})`

// Adding numbers needs a view of all existing ones. Readers do not wait.
export async function lockConfirmationNumbers(globalDatabase: Session): Promise<void> {
  await globalDatabase.query('LOCK TABLE confirmation_numbers IN SHARE ROW EXCLUSIVE MODE')
}

// False if the number already exists. A removed number of the same trunk is back, in the database where it is waited for.
export async function insertConfirmationNumber(
  globalDatabase: Session,
  number: number,
  trunk: string,
  slot: number,
): Promise<boolean> {
  const { rowCount } = await globalDatabase.query(
    `INSERT INTO confirmation_numbers AS known (number, trunk, slot) VALUES ($1, $2, $3)
     ON CONFLICT (number) DO UPDATE SET removed_at = NULL WHERE known.removed_at IS NOT NULL AND known.trunk = excluded.trunk`,
    [number, trunk, slot],
  )
  return rowCount === 1
}

// Returns how many were removed.
export async function removeConfirmationNumbers(
  globalDatabase: Session,
  trunk: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<number> {
  const { rowCount } = await globalDatabase.query(
    `UPDATE confirmation_numbers SET removed_at = clock_timestamp()
     WHERE trunk = $1 AND number BETWEEN $2 AND $3 AND removed_at IS NULL`,
    [trunk, first, last],
  )
  return rowCount ?? 0
}

// Deletes those that no request can wait for any more.
export async function forgetConfirmationNumbers(globalDatabase: Session): Promise<void> {
  await globalDatabase.query(`DELETE FROM confirmation_numbers WHERE removed_at <= clock_timestamp() - ${removedFor}`)
}
