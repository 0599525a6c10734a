// Credits what the operator's payment page reports. The page repeats a report until it gets a response, and may repeat it from
// several machines at once, so the page's own ID of the payment decides: it is claimed for one account and one amount in the global
// database, then credited in the database of the account. A process that dies in between has claimed and not credited; the next
// repetition credits.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  type CreditOutcome,
  claimPayment,
  creditPayment,
  paymentSettingsId,
  readPaymentSettings,
  writePageLink,
  writePaymentSecret,
} from '../../db/money/payment.ts'
import type { User } from '../../db/people/user.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { isPageLink, type PaymentField, parsePayment, type ReportedPayment } from '../../domain/money/payment.ts'
import { makeWebhookSecret, webhookSecretRandomBytes } from '../../domain/webhooks/webhook.ts'
import { Denial } from '../../process/errors.ts'
import { logByPerson } from '../people/create-session.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly currency: string
  // Whether the secret has signed the body, not long ago.
  readonly isSigned: (secret: string, headers: Report['headers'], body: string) => boolean
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly callbackUrl: string
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

export async function takePayment(
  deps: Pick<Deps, 'slots' | 'recordKeys' | 'currency' | 'isSigned'>,
  { headers, body, address }: Report,
): Promise<TakenPayment> {
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

// Where customers pay; empty: nowhere.
export async function setPaymentPage(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  by: Pick<User, 'email'>,
  pageLink: string,
): Promise<void> {
  if (!isPageLink(pageLink)) throw new Denial('invalid', ['pageLink'])
  await inTransaction(slots.globalDatabase, async (session) => {
    const { pageLink: before } = await readPaymentSettings(session)
    if (before === pageLink) return
    await writePageLink(session, pageLink)
    const details = { before, after: pageLink }
    await logByPerson(session, actor, by, { accountId: null, action: 'payment page changed', details })
  })
}

// Returns the secret that signs the reports of the payment page from now on; it is never shown again. The one before is worth
// nothing at once: with it anyone could credit accounts.
export async function renewPaymentSecret(
  deps: Pick<Deps, 'slots' | 'recordKeys' | 'randomBytes'>,
  actor: Actor,
  by: Pick<User, 'email'>,
): Promise<string> {
  const { slots, recordKeys, randomBytes } = deps
  const secret = makeWebhookSecret(randomBytes(webhookSecretRandomBytes))
  const sealed = seal(recordKeys, 'payment-secret', paymentSettingsId, secret, randomBytes(nonceBytes))
  await inTransaction(slots.globalDatabase, async (session) => {
    await writePaymentSecret(session, sealed)
    await logByPerson(session, actor, by, { accountId: null, action: 'payment secret renewed', details: {} })
  })
  return secret
}

function unsealPaymentSecret(recordKeys: KeyRing, sealed: Buffer): string {
  return unseal(recordKeys, 'payment-secret', paymentSettingsId, sealed)
}

export async function showPaymentSettings({
  slots,
  callbackUrl,
}: Pick<Deps, 'slots' | 'callbackUrl'>): Promise<WebOutput<'payment-settings'>> {
  const { pageLink, secretSealed, seller } = await readPaymentSettings(slots.globalDatabase)
  return { pageLink, callbackUrl, hasSecret: secretSealed !== null, seller }
}
