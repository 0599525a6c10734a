import type { Actor } from '../db/action-log.ts'
import { readPaymentSettings, writeSeller } from '../db/payment.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { User } from '../db/user.ts'
import { type Seller, trimmedSeller, wrongDetail } from '../domain/money/legal-details.ts'
import { Denial } from '../errors.ts'
import { logByPerson } from './create-session.ts'

// Who sends invoices; null: nobody does, and the dashboard offers none.
export async function setSeller(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  by: Pick<User, 'email'>,
  seller: Seller | null,
): Promise<void> {
  const wrong = seller === null ? undefined : wrongDetail(seller)
  if (wrong !== undefined) throw new Denial('invalid', [wrong])
  const { seller: before } = await readPaymentSettings(slots.globalDatabase)
  const after = seller && trimmedSeller(seller)
  await writeSeller(slots.globalDatabase, after)
  await logByPerson(slots, actor, by, { accountId: null, action: 'seller changed', details: { before, after } })
}
