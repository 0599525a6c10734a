import {
  type MemberRole,
  memberRights,
  memberRoles,
  type OperatorRole,
  operatorRights,
} from '@ringproof/contract/web/access.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteMembership, lockMembers, putMembership, listMembers as readMembers } from '../../db/people/membership.ts'
import { deleteInvitations, deleteOperatorLinks, listInvitations } from '../../db/people/one-time-link.ts'
import { listOperators as readOperators, setOperatorRole, type User, type UserId } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { Denial } from '../../process/errors.ts'
import { factorsOf, logByPerson } from './create-session.ts'

type Deps = {
  readonly slots: SlotMap
}

export async function listMembers({ slots }: Deps, accountId: AccountId): Promise<WebOutput<'members'>> {
  const members = await readMembers(slots.globalDatabase, accountId)
  const invitations = await listInvitations(slots.globalDatabase, accountId)
  return {
    members: members.map(({ since, ...member }) => ({ ...member, since: since.getTime() })),
    invitations: invitations.flatMap(({ email, payload, validUntil }) => {
      const role = memberRoles.find((one) => one === payload['role'])
      return role ? [{ email, role, until: validUntil.getTime() }] : []
    }),
  }
}

export async function withdrawInvitation({ slots }: Deps, accountId: AccountId, email: string): Promise<void> {
  if (!(await deleteInvitations(slots.globalDatabase, accountId, email.trim().toLowerCase())))
    throw new Denial('not-found')
}

export async function listOperators({ slots }: Deps): Promise<WebOutput<'operators'>> {
  const operators = await readOperators(slots.globalDatabase)
  return {
    operators: operators.map((user) => ({
      userId: user.id,
      email: user.email,
      name: user.name,
      role: user.operatorRole,
      hasFactor: factorsOf(user).length > 0,
      seenAt: user.seenAt?.getTime() ?? null,
      createdAt: user.createdAt.getTime(),
    })),
  }
}

type Command = {
  readonly accountId: AccountId
  readonly userId: UserId
  // Null removes the member.
  readonly role: MemberRole | null
}

// An account keeps at least one owner. A member's requests see the change at once: roles are read with every request.
export async function setMember(
  { slots }: Deps,
  actor: Actor,
  by: User,
  { accountId, userId, role }: Command,
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    const members = await lockMembers(session, accountId)
    const member = members.find((one) => one.userId === userId)
    if (!member) throw new Denial('not-found')
    const isOwner = (of: MemberRole | null) => memberRights(of).includes('manage')
    const otherOwners = members.filter((one) => isOwner(one.role) && one.userId !== userId)
    if (!isOwner(role) && otherOwners.length === 0) throw new Denial('invalid', ['role'])
    if (role === null) await deleteMembership(session, userId, accountId)
    else await putMembership(session, userId, { accountId, role })
    const action = role === null ? 'member removed' : 'member role changed'
    await logByPerson(session, actor, by, { accountId, action, details: { email: member.email, role } })
  })
}

// The installation keeps at least one admin. The operator's sessions end: rights of another size start with a new one.
export async function setOperator(
  { slots }: Deps,
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
  return readOperators(session)
}

export function refuseWithoutAdmin(operators: readonly User[], userId: UserId, role: OperatorRole | null): void {
  const admins = operators.filter(({ operatorRole }) => operatorRights(operatorRole).includes('administer'))
  const isLast = admins.length === 1 && admins[0]?.id === userId
  if (isLast && !operatorRights(role).includes('administer')) throw new Denial('invalid', ['role'])
}
