import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPaymentSettings, writePageLink } from '../../db/money/payment.ts'
import type { User } from '../../db/people/user.ts'
import { isPageLink } from '../../domain/money/payment.ts'
import { Denial } from '../../process/errors.ts'
import { logByPerson } from '../people/create-session.ts'

// Where customers pay; empty: nowhere.
export async function setPaymentPage(
  { slots }: { readonly slots: SlotMap },
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
