import { type MemberRole, memberRights } from '@ringproof/contract/web/access.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteMembership, lockMembers, putMembership } from '../../db/people/membership.ts'
import type { User, UserId } from '../../db/people/user.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { Denial } from '../../process/errors.ts'
import { logByPerson } from './create-session.ts'

type Command = {
  readonly accountId: AccountId
  readonly userId: UserId
  // Null removes the member.
  readonly role: MemberRole | null
}

// An account keeps at least one owner. A member's requests see the change at once: roles are read with every request.
export async function setMember(
  { slots }: { readonly slots: SlotMap },
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
