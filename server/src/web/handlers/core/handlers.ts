// One handler for each endpoint of the contract. What it receives has passed the gate and the schema.

import type { EndpointName, WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import type { OwnReader, Visitor } from '../../../actions/people/visitor.ts'
import type { Actor } from '../../../db/core/action-log.ts'
import type { AccountId } from '../../../domain/core/slot.ts'
import { Denial } from '../../../process/errors.ts'

export type Visit = {
  readonly visitor: Visitor | undefined
  readonly actor: Actor
  // Whether the browser would keep a session cookie from us.
  readonly isSecure: boolean
  // Where the browser sees us, for passkeys.
  readonly site: { readonly origin: string; readonly host: string }
  readonly setSession: (token: string | undefined) => void
  // Which persons have signed in with this browser before, sealed.
  readonly browsers: string | undefined
  readonly setBrowsers: (value: string) => void
  // Known to the browser that signed up.
  readonly signUpToken: string | undefined
  readonly setSignUp: (token: string | undefined) => void
}

// A change that says nothing but "done" returns nothing.
type Result<Output> = [keyof Output] extends [never] ? void : Output

type Handler<Name extends EndpointName> = (visit: Visit, input: WebInput<Name>) => Promise<Result<WebOutput<Name>>>

export type Handlers = { readonly [Name in EndpointName]: Handler<Name> }

// The gate has let only a signed-in visitor pass.
export function visitorOf({ visitor }: Visit): Visitor {
  if (!visitor) throw new Denial('not-signed-in')
  return visitor
}

export function accountOf(visit: Visit): AccountId {
  return readerOf(visitorOf(visit)).accountId
}

// What the visitor may see of the account that is shown.
export function readerOf(visitor: Visitor | undefined): OwnReader {
  if (!visitor?.membership) throw new Denial('forbidden')
  return { accountId: visitor.membership.accountId, rights: visitor.rights }
}

export function actorOf(visit: Visit): Actor {
  return { ...visit.actor, user: visitorOf(visit).user.email }
}

export function operatorActor(visit: Visit): Actor {
  return { ...visit.actor, operator: visitorOf(visit).user.email }
}
