// How customers pay, and the payments that the payment page has reported. All of it is in the global database.

import type { AccountId } from '../../domain/core/slot.ts'
import type { Seller } from '../../domain/money/legal-details.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import type { ReportedPayment } from '../../domain/money/payment.ts'
import type { Session } from '../core/database.ts'

type PaymentSettings = {
  readonly pageLink: string
  readonly secretSealed: Buffer | null
  // Who sends invoices.
  readonly seller: Seller | null
}

// What its secret is sealed for: the one row.
export const paymentSettingsId = 1
export async function readPaymentSettings(globalDatabase: Session): Promise<PaymentSettings> {
  const { rows } = await globalDatabase.query<PaymentSettings>(
    'SELECT page_link AS "pageLink", secret_sealed AS "secretSealed", seller FROM payment_settings',
  )
  const [row] = rows
  if (!row) throw new Error('the table payment_settings is empty')
  return row
}

export async function writePageLink(globalDatabase: Session, pageLink: string): Promise<void> {
  await globalDatabase.query('UPDATE payment_settings SET page_link = $1', [pageLink])
}

export async function writePaymentSecret(globalDatabase: Session, sealed: Buffer): Promise<void> {
  await globalDatabase.query('UPDATE payment_settings SET secret_sealed = $1', [sealed])
}

export async function writeSeller(globalDatabase: Session, seller: Seller | null): Promise<void> {
  await globalDatabase.query('UPDATE payment_settings SET seller = $1', [seller && JSON.stringify(seller)])
}

// Of concurrent reports the first one counts. Returns what the payment is for since then.
export async function claimPayment(
  globalDatabase: Session,
  { reference, accountId, amount }: ReportedPayment,
): Promise<Pick<ReportedPayment, 'accountId' | 'amount'>> {
  await globalDatabase.query(
    'INSERT INTO page_payments (reference, account_id, amount) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [reference, accountId, amount],
  )
  const { rows } = await globalDatabase.query<{ accountId: AccountId; amount: MicroAmount }>(
    'SELECT account_id AS "accountId", amount FROM page_payments WHERE reference = $1',
    [reference],
  )
  const [claimed] = rows
  if (!claimed) throw new Error('a payment was claimed and is not there')
  return claimed
}

export type CreditOutcome = 'recorded' | 'repeated' | 'other-payment' | 'unknown-account' | 'too-much'

export async function creditPayment(
  session: Session,
  { accountId, reference, amount }: ReportedPayment,
  address: string,
): Promise<{ readonly outcome: CreditOutcome; readonly entryId: number | null }> {
  const { rows } = await session.query<{ outcome: CreditOutcome; entryId: number | null }>(
    'SELECT outcome, entry_id AS "entryId" FROM credit_payment($1, $2, $3, $4)',
    [accountId, reference, amount, address],
  )
  const [credited] = rows
  if (!credited) throw new Error('credit_payment returned nothing')
  return credited
}
