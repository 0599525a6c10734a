// Credits what the operator's payment page reports. The page repeats a report until it gets a response, and may repeat it from
// several machines at once, so the page's own ID of the payment decides: it is claimed for one account and one amount in the global
// database, then credited in the database of the account. A process that dies in between has claimed and not credited; the next
// repetition credits.

import { readAccount } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type CreditOutcome, claimPayment, creditPayment, readPaymentSettings } from '../../db/money/payment.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type PaymentField, parsePayment, type ReportedPayment } from '../../domain/money/payment.ts'
import { unsealPaymentSecret } from './renew-payment-secret.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly currency: string
  // Whether the secret has signed the body, not long ago.
  readonly isSigned: (secret: string, headers: Report['headers'], body: string) => boolean
}

export type Report = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // As it was sent: the signature is about these bytes.
  readonly body: string
  readonly address: string
}

export type TakenPayment =
  | { readonly outcome: CreditOutcome; readonly accountId: AccountId; readonly entryId: number | null }
  | { readonly outcome: 'no-secret' | 'not-signed' | 'malformed' }
  | { readonly outcome: 'invalid'; readonly field: PaymentField }

export async function takePayment(deps: Deps, { headers, body, address }: Report): Promise<TakenPayment> {
  const { slots, recordKeys, currency, isSigned } = deps
  const { secretSealed } = await readPaymentSettings(slots.globalDatabase)
  if (secretSealed === null) return { outcome: 'no-secret' }
  if (!isSigned(unsealPaymentSecret(recordKeys, secretSealed), headers, body)) return { outcome: 'not-signed' }
  const payment = parsePayment(body, currency)
  if (payment === undefined) return { outcome: 'malformed' }
  if (typeof payment === 'string') return { outcome: 'invalid', field: payment }
  return { accountId: payment.accountId, ...(await credit(slots, payment, address)) }
}

async function credit(
  slots: SlotMap,
  payment: ReportedPayment,
  address: string,
): Promise<{ readonly outcome: CreditOutcome; readonly entryId: number | null }> {
  const { accountId, amount } = payment
  const database = slots.databaseOf(slotOfAccount(accountId))
  // Before the claim: a payment for a mistyped account can be reported again for the right one.
  if (!(await readAccount(database, accountId))) return { outcome: 'unknown-account', entryId: null }
  const claimed = await claimPayment(slots.globalDatabase, payment)
  if (claimed.accountId !== accountId || claimed.amount !== amount) return { outcome: 'other-payment', entryId: null }
  return creditPayment(database, payment, address)
}
