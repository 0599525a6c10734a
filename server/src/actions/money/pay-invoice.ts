import type { Actor } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Invoice, markInvoicePaid, readInvoice } from '../../db/money/invoice.ts'
import { UsageError } from '../../process/errors.ts'
import { type MovedMoney, moveMoney } from './move-money.ts'

// Credits the account of an invoice whose money has arrived. The number of the invoice is the reference of the payment, so it is
// credited once, however often this is called, and also if a payment with this reference was entered in another way.
export async function payInvoice(
  deps: { readonly slots: SlotMap },
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
