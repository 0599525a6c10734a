import type { Purpose } from '../../domain/installation/purpose.ts'
import { freePrices, type Price } from '../../domain/money/tariff.ts'
import type { Session } from '../core/database.ts'

export type Tariff = {
  readonly code: string
  readonly name: string
  readonly chargesFailed: boolean
  readonly prices: readonly Price[]
}

export async function readTariffs(globalDatabase: Session): Promise<readonly Tariff[]> {
  const { rows: tariffs } = await globalDatabase.query<Omit<Tariff, 'prices'>>(
    'SELECT code, name, charges_failed AS "chargesFailed" FROM tariffs ORDER BY code',
  )
  const { rows: prices } = await globalDatabase.query<Price & { tariff: string }>(
    `SELECT tariff, method, mode, country, price, valid_from AS "validFrom" FROM tariff_prices
     ORDER BY tariff, method, mode, country, valid_from`,
  )
  return tariffs.map(({ code, name, chargesFailed }) => ({
    code,
    name,
    chargesFailed,
    prices: prices
      .filter(({ tariff }) => tariff === code)
      .map(({ method, mode, country, price, validFrom }) => ({ method, mode, country, price, validFrom })),
  }))
}

// What calls cost and whether failed ones do, and the database's time at which that was read.
export type PriceTable = {
  readonly pricesOf: (tariff: string) => readonly Price[]
  readonly chargesFailed: (tariff: string) => boolean
  readonly readAt: Date
}

export async function readPriceTable(globalDatabase: Session): Promise<PriceTable> {
  const [tariffs, { rows }] = await Promise.all([
    readTariffs(globalDatabase),
    globalDatabase.query<{ now: Date; purpose: Purpose }>('SELECT clock_timestamp() AS now, purpose FROM installation'),
  ])
  const [row] = rows
  if (!row) throw new Error('the table installation is empty')
  const readAt = row.now
  if (row.purpose === 'own') return { pricesOf: () => freePrices, chargesFailed: () => false, readAt }
  const byCode = new Map(tariffs.map((tariff) => [tariff.code, tariff]))
  return {
    pricesOf: (tariff) => byCode.get(tariff)?.prices ?? [],
    chargesFailed: (tariff) => byCode.get(tariff)?.chargesFailed === true,
    readAt,
  }
}

export async function tariffName(globalDatabase: Session, code: string): Promise<string | undefined> {
  const { rows } = await globalDatabase.query<{ name: string }>('SELECT name FROM tariffs WHERE code = $1', [code])
  return rows[0]?.name
}

// False if it already exists.
export async function insertTariff(globalDatabase: Session, code: string, name: string): Promise<boolean> {
  const { rowCount } = await globalDatabase.query(
    'INSERT INTO tariffs (code, name) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [code, name],
  )
  return rowCount === 1
}

// Returns its name and locks it for the rest of the transaction.
export async function lockTariff(globalDatabase: Session, code: string): Promise<string | undefined> {
  const { rows } = await globalDatabase.query<{ name: string }>('SELECT name FROM tariffs WHERE code = $1 FOR UPDATE', [
    code,
  ])
  return rows[0]?.name
}

export async function renameTariff(globalDatabase: Session, code: string, name: string): Promise<void> {
  await globalDatabase.query('UPDATE tariffs SET name = $2 WHERE code = $1', [code, name])
}

// By the database's clock, which decides which price applies.
export async function hasPassed(globalDatabase: Session, time: Date): Promise<boolean> {
  const { rows } = await globalDatabase.query<{ passed: boolean }>(
    'SELECT $1::timestamptz < clock_timestamp() AS passed',
    [time],
  )
  return rows[0]?.passed === true
}

// Valid from the given time, or from now by the database's clock. Undefined if a price from exactly that time exists: prices
// are superseded, never changed.
export async function insertPrice(
  globalDatabase: Session,
  tariff: string,
  price: Omit<Price, 'validFrom'> & { readonly validFrom: Date | undefined },
): Promise<Date | undefined> {
  const { rows } = await globalDatabase.query<{ validFrom: Date }>(
    // A price is for customers who pay it.
    `WITH sells AS (UPDATE installation SET purpose = 'provider' WHERE purpose <> 'provider')
     INSERT INTO tariff_prices (tariff, method, mode, country, price, valid_from)
     VALUES ($1, $2, $3, $4, $5, coalesce($6, clock_timestamp()))
     ON CONFLICT DO NOTHING
     RETURNING valid_from AS "validFrom"`,
    [tariff, price.method, price.mode, price.country, price.price, price.validFrom ?? null],
  )
  return rows[0]?.validFrom
}

// Undefined if there is no such tariff, false if nothing changed.
export async function setChargesFailed(
  globalDatabase: Session,
  code: string,
  charges: boolean,
): Promise<boolean | undefined> {
  const { rows } = await globalDatabase.query<{ before: boolean }>(
    `UPDATE tariffs AS tariff SET charges_failed = $2 FROM tariffs AS before
     WHERE tariff.code = $1 AND before.code = $1 RETURNING before.charges_failed AS before`,
    [code, charges],
  )
  return rows[0] && rows[0].before !== charges
}
