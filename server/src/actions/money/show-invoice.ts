import type { SlotMap } from '../../db/core/slot-map.ts'
import { readInvoice } from '../../db/money/invoice.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import type { LegalDetails, Seller } from '../../domain/money/legal-details.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { Denial } from '../../process/errors.ts'

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
