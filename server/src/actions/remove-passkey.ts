import type { Actor } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import { deletePasskey } from '../db/second-factor.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { Denial } from '../errors.ts'
import type { Visitor } from './find-visitor.ts'
import { noteSecurityChange } from './note-security-change.ts'

export async function removePasskey(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  visitor: Visitor,
  id: string,
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    if (!(await deletePasskey(session, visitor.user.id, id))) throw new Denial('not-found')
    await noteSecurityChange(session, actor, visitor, 'second factor removed', { factor: 'passkey' })
  })
}
