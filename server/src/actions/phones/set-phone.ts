import type { WebInput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { setPhoneState } from '../../db/phones/virtual-phone.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { Denial } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly noteChange: (accountId: AccountId, topic: 'phones') => void }

// What the phone does with its next call. The two test numbers belong to everybody and cannot be set.
export async function setPhone(
  { slots, noteChange }: Deps,
  accountId: AccountId,
  { number, state }: WebInput<'set-phone'>,
): Promise<void> {
  const isSet = await setPhoneState(slots.globalDatabase, accountId, number as PhoneNumber, state)
  if (!isSet) throw new Denial('not-found')
  noteChange(accountId, 'phones')
}
