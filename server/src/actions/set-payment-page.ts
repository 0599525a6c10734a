import type { Actor } from '../db/action-log.ts'
import { readPaymentSettings, writePageLink } from '../db/payment.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { User } from '../db/user.ts'
import { isPageLink } from '../domain/money/payment.ts'
import { Denial } from '../errors.ts'
import { logByPerson } from './create-session.ts'

// Where customers pay; empty: nowhere.
export async function setPaymentPage(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  by: Pick<User, 'email'>,
  pageLink: string,
): Promise<void> {
  if (!isPageLink(pageLink)) throw new Denial('invalid', ['pageLink'])
  const { pageLink: before } = await readPaymentSettings(slots.globalDatabase)
  if (before === pageLink) return
  await writePageLink(slots.globalDatabase, pageLink)
  const details = { before, after: pageLink }
  await logByPerson(slots, actor, by, { accountId: null, action: 'payment page changed', details })
}
