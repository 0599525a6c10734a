import { deletePasskey } from '../db/second-factor.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { User } from '../db/user.ts'
import { Denial } from '../errors.ts'

export async function removePasskey({ slots }: { readonly slots: SlotMap }, user: User, id: string): Promise<void> {
  if (!(await deletePasskey(slots.globalDatabase, user.id, id))) throw new Denial('not-found')
}
