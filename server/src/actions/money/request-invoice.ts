import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertInvoice, listInvoices } from '../../db/money/invoice.ts'
import { readPaymentSettings } from '../../db/money/payment.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { formatDecimal } from '../../domain/money/money.ts'
import { parsePaymentAmount } from '../../domain/money/payment.ts'
import { Denial } from '../../process/errors.ts'
import { findLegalDetails } from './set-legal-details.ts'

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
