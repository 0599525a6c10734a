import { type OperatorRole, operatorRights } from '@ringproof/contract/web/access.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteOperatorLinks } from '../../db/people/one-time-link.ts'
import { listOperators, setOperatorRole, type User, type UserId } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import { Denial } from '../../process/errors.ts'

// The installation keeps at least one admin. The operator's sessions end: rights of another size start with a new one.
export async function setOperator(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  by: User,
  { userId, role }: { readonly userId: UserId; readonly role: OperatorRole | null },
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    const operators = await lockOperators(session)
    const operator = operators.find(({ id }) => id === userId)
    if (!operator) throw new Denial('not-found')
    refuseWithoutAdmin(operators, userId, role)
    await setOperatorRole(session, actor, by.email, { userId, role })
    await deleteOperatorLinks(session, operator.email)
    await deleteWebSessions(session, userId)
  })
}

export async function lockOperators(session: Session): Promise<readonly User[]> {
  await session.query('SELECT FROM users WHERE operator_role IS NOT NULL ORDER BY id FOR UPDATE')
  return listOperators(session)
}

export function refuseWithoutAdmin(operators: readonly User[], userId: UserId, role: OperatorRole | null): void {
  const admins = operators.filter(({ operatorRole }) => operatorRights(operatorRole).includes('administer'))
  const isLast = admins.length === 1 && admins[0]?.id === userId
  if (isLast && !operatorRights(role).includes('administer')) throw new Denial('invalid', ['role'])
}
