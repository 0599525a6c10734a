import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deletePasskey } from '../../db/people/second-factor.ts'
import { Denial } from '../../process/errors.ts'
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
