import type { WebInput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { setFault } from '../../db/phones/virtual-phone.ts'
import type { AccountId } from '../../domain/core/slot.ts'

type Deps = { readonly slots: SlotMap; readonly noteChange: (accountId: AccountId, topic: 'phones') => void }

// What goes wrong with every call to a virtual phone of the account, and with its test webhooks, from the next one on.
export async function setPhoneFault(
  { slots, noteChange }: Deps,
  accountId: AccountId,
  { fault, isOn }: WebInput<'set-phone-fault'>,
): Promise<void> {
  await setFault(slots.globalDatabase, accountId, fault, isOn)
  noteChange(accountId, 'phones')
}
