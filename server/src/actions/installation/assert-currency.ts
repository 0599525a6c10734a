// No process and no command works in another currency than that of the amounts in its databases: an amount is a number, and would be read
// as so many of another unit.

import { type Database, nameOf } from '../../db/core/database.ts'
import { readCurrency } from '../../db/installation/installation.ts'
import { otherCurrency } from '../../domain/installation/currency.ts'
import { UsageError } from '../../process/errors.ts'

export async function assertCurrency(databases: readonly Database[], currency: string): Promise<void> {
  for (const database of databases) {
    const stored = await readCurrency(database)
    if (stored !== currency) throw new UsageError(otherCurrency(nameOf(database), stored, currency))
  }
}
