import type { OperatorRole } from '@ringproof/contract/web/access.ts'
import type { Actor } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { changeUser, listOperators, type User, type UserId } from '../db/user.ts'
import { deleteWebSessions } from '../db/web-session.ts'
import { Denial } from '../errors.ts'
import { logByPerson } from './create-session.ts'

// The installation keeps at least one admin. The operator's sessions end: rights of another size start with a new one.
export async function setOperator(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  by: User,
  { userId, role }: { readonly userId: UserId; readonly role: OperatorRole | null },
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    await session.query('SELECT FROM users WHERE operator_role IS NOT NULL ORDER BY id FOR UPDATE')
    const operators = await listOperators(session)
    if (!operators.some(({ id }) => id === userId)) throw new Denial('not-found')
    const otherAdmins = operators.filter(({ id, operatorRole }) => operatorRole === 'admin' && id !== userId)
    if (role !== 'admin' && otherAdmins.length === 0) throw new Denial('invalid', ['role'])
    await changeUser(session, userId, { operatorRole: role })
    await deleteWebSessions(session, userId)
  })
  await logByPerson(slots, actor, by, { accountId: null, action: 'operator role changed', details: { userId, role } })
}
