import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPhone } from '../../db/phones/virtual-phone.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { CommandPhone } from '../../domain/phones/virtual-phone.ts'
import { Denial } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly commandPhone: CommandPhone }

// Calls from a phone of the account, as a subscriber calls a confirmation number. Responds with the SIP status of the end: 486
// for a confirmation number, matched or not, because the caller must not learn it; 404 for a number that is not ours.
export async function dialFromPhone(
  { slots, commandPhone }: Deps,
  accountId: AccountId,
  { number, called, callerId }: WebInput<'dial-from-phone'>,
): Promise<WebOutput<'dial-from-phone'>> {
  const phone = await readPhone(slots.globalDatabase, number as PhoneNumber)
  if (phone?.accountId !== accountId) throw new Denial('not-found')
  const reply = await commandPhone({ do: 'dial', number: phone.number, called, callerId })
  if (!reply) throw new Denial('unavailable')
  return reply
}
