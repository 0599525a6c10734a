import type { SlotMap } from '../../db/core/slot-map.ts'
import { readCharges } from '../../db/money/ledger-entry.ts'
import { readPaymentSettings } from '../../db/money/payment.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { actAmount, daysOfMonth } from '../../domain/money/act.ts'
import type { LegalDetails, Seller } from '../../domain/money/legal-details.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { Denial } from '../../process/errors.ts'
import { findLegalDetails } from './set-legal-details.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
  readonly currency: string
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
