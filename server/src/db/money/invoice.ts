// Invoices, in the global database.

import type { AccountId } from '../../domain/core/slot.ts'
import type { Seller } from '../../domain/money/legal-details.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import type { Session } from '../core/database.ts'

export type Invoice = {
  readonly number: number
  readonly accountId: AccountId
  readonly amount: MicroAmount
  readonly createdAt: Date
  readonly paidAt: Date | null
}

type WholeInvoice = Invoice & { readonly buyerSealed: Buffer; readonly seller: Seller }

const columns = 'id AS number, account_id AS "accountId", amount, created_at AS "createdAt", paid_at AS "paidAt"'

// Returns its number.
export async function insertInvoice(
  globalDatabase: Session,
  { accountId, amount, buyerSealed, seller }: Pick<WholeInvoice, 'accountId' | 'amount' | 'buyerSealed' | 'seller'>,
): Promise<number> {
  const { rows } = await globalDatabase.query<{ number: number }>(
    'INSERT INTO invoices (account_id, amount, buyer_sealed, seller) VALUES ($1, $2, $3, $4) RETURNING id AS number',
    [accountId, amount, buyerSealed, JSON.stringify(seller)],
  )
  const [made] = rows
  if (!made) throw new Error('the invoice was not written')
  return made.number
}

export async function readInvoice(globalDatabase: Session, number: number): Promise<WholeInvoice | undefined> {
  const { rows } = await globalDatabase.query<WholeInvoice>(
    `SELECT ${columns}, buyer_sealed AS "buyerSealed", seller FROM invoices WHERE id = $1`,
    [number],
  )
  return rows[0]
}

// Newest first; of one account, or of all.
export async function listInvoices(
  globalDatabase: Session,
  { accountId, isUnpaid = false }: { readonly accountId?: AccountId | undefined; readonly isUnpaid?: boolean },
  limit: number,
): Promise<readonly Invoice[]> {
  const { rows } = await globalDatabase.query<Invoice>(
    `SELECT ${columns} FROM invoices
     WHERE ($1::integer IS NULL OR account_id = $1) AND (NOT $2 OR paid_at IS NULL) ORDER BY id DESC LIMIT $3`,
    [accountId ?? null, isUnpaid, limit],
  )
  return rows
}

export async function markInvoicePaid(globalDatabase: Session, number: number): Promise<void> {
  await globalDatabase.query('UPDATE invoices SET paid_at = coalesce(paid_at, clock_timestamp()) WHERE id = $1', [
    number,
  ])
}

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
