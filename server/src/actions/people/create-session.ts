import type { factorKinds } from '@ringproof/contract/lists/people.ts'
import { type Actor, hasActedFrom, logAction } from '../../db/core/action-log.ts'
import type { Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertMessages } from '../../db/notices/notice.ts'
import { listMemberships } from '../../db/people/membership.ts'
import type { User, UserId } from '../../db/people/user.ts'
import { insertWebSession } from '../../db/people/web-session.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { browserName } from '../../domain/people/session.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }

export type CreatedSession = {
  readonly token: string
  readonly userId: UserId
  readonly stage: 'second-step' | 'signed-in'
}

// How a person can take the second step.
export function factorsOf(user: User): readonly (typeof factorKinds)[number][] {
  return [
    ...(user.totpSince ? (['totp'] as const) : []),
    ...(user.passkeyCount > 0 ? (['passkey'] as const) : []),
    ...(user.telegramSince ? (['telegram'] as const) : []),
    // Recovery codes come with the app.
    ...(user.totpSince ? (['recovery'] as const) : []),
  ]
}

// Always a new ID, so that an ID from before signing in is worth nothing. Without a second factor the person is signed in.
export async function createSession(
  deps: Deps,
  session: Session,
  actor: Actor,
  user: User,
  isSecondStepTaken: boolean,
): Promise<CreatedSession> {
  const token = makeToken(deps.randomBytes(tokenBytes))
  const stage = isSecondStepTaken || factorsOf(user).length === 0 ? 'signed-in' : 'second-step'
  const [first] = await listMemberships(session, user.id)
  const { address, userAgent } = actor
  const accountId = first?.accountId ?? null
  await insertWebSession(session, { digest: digestToken(token), userId: user.id, stage, accountId, address, userAgent })
  return { token, userId: user.id, stage }
}

// In the log of the account that the session starts with; an operator without an account has an entry of the installation. A
// browser or an address that is new is announced to the person, unless it is the one they signed up with.
export async function logSignIn(
  { slots, session }: { readonly slots: SlotMap; readonly session: Session },
  actor: Actor,
  user: User,
  details: Record<string, unknown>,
): Promise<void> {
  const [first] = await listMemberships(session, user.id)
  const accountId = first?.accountId ?? null
  if (accountId !== null && details['first'] !== true) {
    const isKnown = await hasActedFrom(slots, accountId, user.email, actor)
    const seen = { address: actor.address, browser: browserName(actor.userAgent) }
    if (!isKnown) await insertMessages(session, [{ accountId, kind: 'new-sign-in', details: seen }], user.id)
  }
  await logByPerson(session, actor, user, { accountId, action: 'signed in', details })
}

type Entry = {
  readonly accountId: AccountId | null
  readonly action: string
  readonly details: Readonly<Record<string, unknown>>
}

// In the transaction that changes what the entry is about: people and their rights are in the global database.
export async function logByPerson(
  session: Session,
  actor: Actor,
  user: Pick<User, 'email'>,
  { accountId, action, details }: Entry,
): Promise<void> {
  await logAction(session, actor, { accountId, action, details: { ...details, user: user.email } })
}
