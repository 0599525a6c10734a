import { operatorRights } from '@ringproof/contract/web/access.ts'
import type { EndpointName } from '@ringproof/contract/web/api.ts'
import type { Endpoint } from '@ringproof/contract/web/endpoint.ts'
import { factorsOf } from '../actions/people/create-session.ts'
import type { Visitor } from '../actions/people/visitor.ts'
import { confirmedSeconds } from '../domain/people/session.ts'
import { Denial } from '../process/errors.ts'

// Refuses a visitor who may not call the endpoint. A session shows one account: a tab that was loaded before another tab chose
// another account must not read or change that one.
export function admit({ access, isGuarded }: Endpoint, visitor: Visitor | undefined, shownAccount?: unknown): void {
  if (access.kind === 'anyone') return
  if (!visitor) throw new Denial('not-signed-in')
  const { session, user, membership, rights } = visitor
  if ((session.stage === 'second-step') !== (access.kind === 'password')) throw new Denial('not-signed-in')
  if (access.kind === 'member') {
    const isShown = shownAccount === undefined || Number(shownAccount) === membership?.accountId
    if (!isShown) throw new Denial('other-account')
    if (!rights.includes(access.right)) throw new Denial('forbidden')
  }
  if (access.kind === 'operator') {
    if (!operatorRights(user.operatorRole).includes(access.right)) throw new Denial('forbidden')
    // An operator reaches every account, so a password alone is not enough.
    if (factorsOf(user).length === 0) throw new Denial('add-factor')
  }
  if (isGuarded) refuseUnconfirmed(visitor)
}

// An operator who looks at a customer's dashboard changes nothing anywhere: the only way on is to stop looking.
export function refuseWhileViewing(name: EndpointName, { verb }: Endpoint, visitor: Visitor | undefined): void {
  if (visitor?.view && verb === 'POST' && !endsOfView.has(name)) throw new Denial('view-only')
}

const endsOfView: ReadonlySet<EndpointName> = new Set<EndpointName>(['end-view', 'sign-out'])

export function refuseUnconfirmed({ session }: Visitor): void {
  if (session.confirmedSecondsAgo > confirmedSeconds) throw new Denial('confirm-person')
}
