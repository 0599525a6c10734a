import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listInvoices } from '../../db/money/invoice.ts'
import { readPaymentSettings } from '../../db/money/payment.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { findLegalDetails } from './set-legal-details.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing }

const shownMax = 100

export async function listOwnInvoices(deps: Deps, accountId: AccountId): Promise<WebOutput<'invoices'>> {
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
