import { memberRoles } from '@ringproof/contract/web/access.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMembers as readMembers } from '../../db/people/membership.ts'
import { deleteInvitations, listInvitations } from '../../db/people/one-time-link.ts'
import { listOperators as readOperators } from '../../db/people/user.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { Denial } from '../../process/errors.ts'
import { factorsOf } from './create-session.ts'

type Deps = { readonly slots: SlotMap }

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
