import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { addPhones } from '../../db/phones/virtual-phone.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { phonesMax } from '../../domain/phones/virtual-phone.ts'
import { Denial } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly noteChange: (accountId: AccountId, topic: 'phones') => void }

// Gives the account a free scenario number. Too many: it has as many as it may, or all are taken.
export async function addPhone({ slots, noteChange }: Deps, accountId: AccountId): Promise<WebOutput<'add-phone'>> {
  const number = await addPhones(slots.globalDatabase, accountId, { count: 1, max: phonesMax })
  if (number === undefined) throw new Denial('too-many')
  noteChange(accountId, 'phones')
  return { number }
}
