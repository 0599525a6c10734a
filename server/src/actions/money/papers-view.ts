import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listInvoices, readInvoice } from '../../db/money/invoice.ts'
import { readCharges, readStatementEntries } from '../../db/money/ledger-entry.ts'
import { readPaymentSettings } from '../../db/money/payment.ts'
import { type AccountId, firstIdOfSecond, slotOfAccount } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import type { LegalDetails, Seller } from '../../domain/money/legal-details.ts'
import { addMoney, type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { actAmount, daysOfMonth, type Statement, statementOf } from '../../domain/money/statement.ts'
import { Denial, UsageError } from '../../process/errors.ts'
import { findLegalDetails } from './invoices.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
  readonly currency: string
}

const shownMax = 100

export async function listOwnInvoices(
  deps: Pick<Deps, 'slots' | 'recordKeys'>,
  accountId: AccountId,
): Promise<WebOutput<'invoices'>> {
  const { globalDatabase } = deps.slots
  const [{ seller }, details, invoices] = await Promise.all([
    readPaymentSettings(globalDatabase),
    findLegalDetails(deps, accountId),
    listInvoices(globalDatabase, { accountId }, shownMax),
  ])
  return {
    seller: seller?.name ?? '',
    details: details ?? null,
    invoices: invoices.map(({ number, amount, createdAt, paidAt }) => ({
      number,
      amount: toDecimal(amount),
      at: createdAt.getTime(),
      paidAt: paidAt?.getTime() ?? null,
    })),
  }
}

export type ShownInvoice = {
  readonly number: number
  readonly at: Date
  readonly amount: MicroAmount
  readonly currency: string
  readonly accountId: AccountId
  readonly seller: Seller
  readonly buyer: LegalDetails
}

// An invoice of another account is as unknown as one that does not exist.
export async function showInvoice(
  { slots, recordKeys, currency }: { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly currency: string },
  accountId: AccountId,
  number: number,
): Promise<ShownInvoice> {
  const invoice = await readInvoice(slots.globalDatabase, number)
  if (invoice?.accountId !== accountId) throw new Denial('not-found')
  const { amount, createdAt, seller, buyerSealed } = invoice
  const buyer = JSON.parse(unseal(recordKeys, 'invoice-buyer', accountId, buyerSealed)) as LegalDetails
  return { number, at: createdAt, amount, currency, accountId, seller, buyer }
}

export type ShownAct = {
  readonly number: string
  // The last day of the month.
  readonly day: string
  readonly month: string
  readonly amount: MicroAmount
  readonly currency: string
  // How many charges it is the sum of.
  readonly entries: number
  readonly accountId: AccountId
  readonly seller: Seller
  readonly buyer: LegalDetails
}

// The act of services rendered in a month, in UTC. There is one only when nothing of the month can change any more: the month is over
// and every call that started in it has ended.
export async function showAct(deps: Deps, accountId: AccountId, month: string): Promise<ShownAct> {
  const { slots, nowSeconds, currency } = deps
  const days = daysOfMonth(month)
  if (!days || Date.parse(days.nextDay) / 1_000 > nowSeconds()) throw new Denial('invalid', ['month'])
  const [{ seller }, buyer, { before, charged, entries, hasOpenHold }] = await Promise.all([
    readPaymentSettings(slots.globalDatabase),
    findLegalDetails(deps, accountId),
    readCharges(slots.databaseOf(slotOfAccount(accountId)), accountId, days),
  ])
  if (hasOpenHold) throw new Denial('invalid', ['month'])
  if (!seller || !buyer || entries === 0) throw new Denial('not-found')
  const amount = actAmount(before, charged, currency)
  const number = `${accountId}-${month.replace('-', '')}`
  return { number, day: days.lastDay, month, amount, currency, entries, accountId, seller, buyer }
}

type Command = {
  readonly accountId: AccountId
  // Days in UTC, such as 2026-11-16, both included.
  readonly firstDay: string
  readonly lastDay: string | undefined
}

type ShownStatement = Statement & {
  readonly email: string
  // Of now: what can be spent, and what is held for calls in progress.
  readonly available: MicroAmount
  readonly held: MicroAmount
}

export async function showStatement(
  { slots }: Pick<Deps, 'slots'>,
  { accountId, firstDay, lastDay }: Command,
): Promise<ShownStatement> {
  const firstId = firstIdOfSecond(Date.parse(firstDay) / 1_000)
  const read = await readStatementEntries(slots.databaseOf(slotOfAccount(accountId)), accountId, { firstId, firstDay })
  if (!read)
    throw new UsageError(`Account ${accountId} does not exist. \`ringproof accounts list\` shows all accounts.`)
  const { email, balance, held, entries } = read
  return { ...statementOf(entries, addMoney(balance, held), lastDay), email, available: balance, held }
}
