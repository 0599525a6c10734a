import type { WebInput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPhone } from '../../db/phones/virtual-phone.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { CommandPhone } from '../../domain/phones/virtual-phone.ts'
import { Denial } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly commandPhone: CommandPhone }

// Answers, declines (603), rejects as busy (486) or hangs up the call on a phone of the account. not-found: it has no such
// phone, or no call is there; unavailable: no process drives real handsets.
export async function actOnCall(
  { slots, commandPhone }: Deps,
  accountId: AccountId,
  { number, action }: WebInput<'act-on-call'>,
): Promise<void> {
  const phone = await readPhone(slots.globalDatabase, number as PhoneNumber)
  if (phone?.accountId !== accountId) throw new Denial('not-found')
  const reply = await commandPhone({ do: 'act', number: phone.number, action })
  if (!reply) throw new Denial('unavailable')
  if (reply.status !== 200) throw new Denial('not-found')
}
