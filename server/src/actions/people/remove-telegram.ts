import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { changeUser } from '../../db/people/user.ts'
import type { Visitor } from './find-visitor.ts'
import { noteSecurityChange } from './note-security-change.ts'

export async function removeTelegram(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  visitor: Visitor,
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    await changeUser(session, visitor.user.id, { telegramId: null, telegramName: '', telegramSince: null })
    await noteSecurityChange(session, actor, visitor, 'second factor removed', { factor: 'telegram' })
  })
}
