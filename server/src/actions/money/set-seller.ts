import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPaymentSettings, writeSeller } from '../../db/money/payment.ts'
import type { User } from '../../db/people/user.ts'
import { type Seller, trimmedSeller, wrongDetail } from '../../domain/money/legal-details.ts'
import { Denial } from '../../process/errors.ts'
import { logByPerson } from '../people/create-session.ts'

// Who sends invoices; null: nobody does, and the dashboard offers none.
export async function setSeller(
  { slots }: { readonly slots: SlotMap },
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
