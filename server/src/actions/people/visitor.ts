import { type MemberRight, memberRights, operatorRights, viewRights } from '@ringproof/contract/web/access.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMemberships, type Membership } from '../../db/people/membership.ts'
import { readUser, type User } from '../../db/people/user.ts'
import { deleteWebSession, readWebSession, touchWebSession, type WebSession } from '../../db/people/web-session.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { limitsFor, secondStepSeconds } from '../../domain/people/session.ts'

type Deps = {
  readonly slots: SlotMap
}

export type Visitor = {
  readonly session: WebSession
  readonly user: User
  readonly memberships: readonly Membership[]
  // Of the account that the session shows.
  readonly membership: Membership | undefined
  // In that account.
  readonly rights: readonly MemberRight[]
  // An operator looks at a customer's dashboard, which looks as it does to a viewer.
  readonly view?: View
}

// Of one account.
export type OwnReader = { readonly accountId: AccountId; readonly rights: readonly MemberRight[] }

type View = { readonly accountId: AccountId; readonly until: Date }

// Who sends this session ID. Roles are read every time, so that a change takes effect with the next request. What a page does
// by itself does not keep the session alive: only a person who is there does.
export async function findVisitor(
  { slots }: Deps,
  token: string,
  address: string,
  isPresent: boolean,
): Promise<Visitor | undefined> {
  const { globalDatabase } = slots
  const session = await readWebSession(globalDatabase, digestToken(token))
  const user = session && (await readUser(globalDatabase, session.userId))
  if (!user) return undefined
  if (isExpired(session, user)) {
    await deleteWebSession(globalDatabase, session.digest)
    return undefined
  }
  if (isPresent) await touchWebSession(globalDatabase, session.digest, address)
  const view = viewOf(session, user)
  if (view) {
    const membership: Membership = { accountId: view.accountId, role: 'viewer' }
    return { session, user, memberships: [membership], membership, rights: viewRights, view }
  }
  const memberships = await listMemberships(globalDatabase, user.id)
  const membership = memberships.find(({ accountId }) => accountId === session.accountId) ?? memberships[0]
  return { session, user, memberships, membership, rights: memberRights(membership?.role) }
}

function viewOf({ viewedAccountId, viewedUntil }: WebSession, { operatorRole }: User): View | undefined {
  if (viewedAccountId === null || viewedUntil === null) return undefined
  return operatorRights(operatorRole).includes('help') ? { accountId: viewedAccountId, until: viewedUntil } : undefined
}

function isExpired({ stage, ageSeconds, idleSeconds }: WebSession, { operatorRole }: User): boolean {
  if (stage === 'second-step') return ageSeconds > secondStepSeconds
  const limits = limitsFor(operatorRole)
  return ageSeconds > limits.ageSeconds || idleSeconds > limits.idleSeconds
}
