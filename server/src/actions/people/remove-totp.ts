import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { replaceRecoveryCodes } from '../../db/people/second-factor.ts'
import { changeUser } from '../../db/people/user.ts'
import type { Visitor } from './find-visitor.ts'
import { noteSecurityChange } from './note-security-change.ts'

// With its recovery codes.
export async function removeTotp(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  visitor: Visitor,
): Promise<void> {
  const { user } = visitor
  await inTransaction(slots.globalDatabase, async (session) => {
    await changeUser(session, user.id, { totpSealed: null, totpSince: null })
    await replaceRecoveryCodes(session, user.id, [])
    await noteSecurityChange(session, actor, visitor, 'second factor removed', { factor: 'app' })
  })
}
