import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  type Invoice,
  insertInvoice,
  listInvoices,
  markInvoicePaid,
  readInvoice,
  readLegalDetails,
  writeLegalDetails,
} from '../../db/money/invoice.ts'
import { readPaymentSettings, writeSeller } from '../../db/money/payment.ts'
import type { User } from '../../db/people/user.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import {
  type LegalDetails,
  type Seller,
  trimmedDetails,
  trimmedSeller,
  wrongDetail,
} from '../../domain/money/legal-details.ts'
import { formatDecimal } from '../../domain/money/money.ts'
import { parsePaymentAmount } from '../../domain/money/payment.ts'
import { Denial, UsageError } from '../../process/errors.ts'
import { logByPerson } from '../people/create-session.ts'
import { type MovedMoney, moveMoney } from './ledger.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly currency: string
}

// An account that asks for more has not paid for long.
const unpaidMax = 20

// Returns the number of the invoice. It names both parties as they are now.
export async function requestInvoice(
  deps: Deps,
  actor: Actor,
  { accountId, amount: typed }: { readonly accountId: AccountId; readonly amount: string },
): Promise<number> {
  const { slots, recordKeys, randomBytes, currency } = deps
  const amount = parsePaymentAmount(typed, currency)
  if (amount === undefined) throw new Denial('invalid', ['amount'])
  const [{ seller }, buyer, unpaid] = await Promise.all([
    readPaymentSettings(slots.globalDatabase),
    findLegalDetails(deps, accountId),
    listInvoices(slots.globalDatabase, { accountId, isUnpaid: true }, unpaidMax),
  ])
  if (!seller) throw new Denial('invalid', ['seller'])
  if (!buyer) throw new Denial('invalid', ['details'])
  if (unpaid.length >= unpaidMax) throw new Denial('too-many')
  const text = JSON.stringify(buyer)
  const buyerSealed = seal(recordKeys, 'invoice-buyer', accountId, text, randomBytes(nonceBytes))
  return inTransaction(slots.globalDatabase, async (session) => {
    const number = await insertInvoice(session, { accountId, amount, buyerSealed, seller })
    const details = { invoice: number, amount: formatDecimal(amount) }
    await logAction(session, actor, { accountId, action: 'invoice requested', details })
    return number
  })
}

// Credits the account of an invoice whose money has arrived. The number of the invoice is the reference of the payment, so it is
// credited once, however often this is called, and also if a payment with this reference was entered in another way.
export async function payInvoice(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  number: number,
): Promise<MovedMoney & Pick<Invoice, 'accountId' | 'amount'>> {
  const invoice = await readInvoice(deps.slots.globalDatabase, number)
  if (!invoice)
    throw new UsageError(`Invoice ${number} does not exist. \`ringproof invoices list\` shows all invoices.`)
  const { accountId, amount } = invoice
  const payment = { accountId, move: 'credit', amount, reference: `invoice ${number}`, reason } as const
  const moved = await moveMoney(deps, actor, payment)
  // After the money: if this is lost, the next call credits nothing and marks it.
  await markInvoicePaid(deps.slots.globalDatabase, number)
  return { ...moved, accountId, amount }
}

// For the action log.
const reason = 'invoice paid'

// Who sends invoices; null: nobody does, and the dashboard offers none.
export async function setSeller(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  by: Pick<User, 'email'>,
  seller: Seller | null,
): Promise<void> {
  const wrong = seller === null ? undefined : wrongDetail(seller)
  if (wrong !== undefined) throw new Denial('invalid', [wrong])
  const after = seller && trimmedSeller(seller)
  await inTransaction(slots.globalDatabase, async (session) => {
    const { seller: before } = await readPaymentSettings(session)
    await writeSeller(session, after)
    await logByPerson(session, actor, by, { accountId: null, action: 'seller changed', details: { before, after } })
  })
}

// What invoices and acts name as the customer from now on. The log says that it changed, not to what.
export async function setLegalDetails(
  { slots, recordKeys, randomBytes }: Pick<Deps, 'slots' | 'recordKeys' | 'randomBytes'>,
  actor: Actor,
  accountId: AccountId,
  details: LegalDetails,
): Promise<void> {
  const wrong = wrongDetail(details)
  if (wrong !== undefined) throw new Denial('invalid', [wrong])
  const text = JSON.stringify(trimmedDetails(details))
  const sealed = seal(recordKeys, 'legal-details', accountId, text, randomBytes(nonceBytes))
  await inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    await writeLegalDetails(session, accountId, sealed)
    await logAction(session, actor, { accountId, action: 'legal details changed', details: {} })
  })
}

export async function findLegalDetails(
  { slots, recordKeys }: Pick<Deps, 'slots' | 'recordKeys'>,
  accountId: AccountId,
): Promise<LegalDetails | undefined> {
  const sealed = await readLegalDetails(slots.databaseOf(slotOfAccount(accountId)), accountId)
  return sealed && (JSON.parse(unseal(recordKeys, 'legal-details', accountId, sealed)) as LegalDetails)
}
