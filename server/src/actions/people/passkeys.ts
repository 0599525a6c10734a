import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertUsedChallenge } from '../../db/people/one-time-link.ts'
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  notePasskeyUsed,
  readPasskey,
} from '../../db/people/second-factor.ts'
import { readUser, type User } from '../../db/people/user.ts'
import { deleteWebSessions, type WebSession } from '../../db/people/web-session.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { type CheckedPasskey, type CheckPasskey, challengeSeconds, passkeysMax } from '../../domain/people/passkey.ts'
import { Denial } from '../../process/errors.ts'
import { type CreatedSession, createSession, logSignIn } from './create-session.ts'
import { replaceSession } from './second-step.ts'
import { noteSecurityChange } from './security-changes.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
}

// What the edge has checked; undefined: it was wrong. Other sessions end: they were opened without this factor.
export async function addPasskey(
  { slots }: Deps,
  actor: Actor,
  visitor: Visitor,
  name: string,
  checked: CheckedPasskey | undefined,
): Promise<void> {
  if (!checked) throw new Denial('wrong-code')
  const { user } = visitor
  await inTransaction(slots.globalDatabase, async (session) => {
    if ((await listPasskeys(session, user.id)).length >= passkeysMax) throw new Denial('too-many')
    if (!(await insertPasskey(session, { ...checked, name, userId: user.id }))) throw new Denial('taken')
    await deleteWebSessions(session, user.id, visitor.session.digest)
    await noteSecurityChange(session, actor, visitor, 'second factor added', { factor: 'passkey' })
  })
}

export async function passkeysOf({ slots }: Deps, user: User) {
  return listPasskeys(slots.globalDatabase, user.id)
}

export async function removePasskey({ slots }: Deps, actor: Actor, visitor: Visitor, id: string): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    if (!(await deletePasskey(session, visitor.user.id, id))) throw new Denial('not-found')
    await noteSecurityChange(session, actor, visitor, 'second factor removed', { factor: 'passkey' })
  })
}

type SignInWithPasskeyDeps = ChallengeDeps & { readonly randomBytes: (bytes: number) => Uint8Array }

// Instead of a password and a second step: the device has checked its user.
export async function signInWithPasskey(
  deps: SignInWithPasskeyDeps,
  actor: Actor,
  check: CheckPasskey,
): Promise<CreatedSession> {
  const user = await checkPasskey(deps, check, undefined)
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await logSignIn({ ...deps, session }, actor, user, { secondStep: 'passkey' })
    return createSession(deps, session, actor, user, true)
  })
}

export async function takeSecondStepWithPasskey(
  deps: SignInWithPasskeyDeps,
  actor: Actor,
  before: WebSession,
  check: CheckPasskey,
): Promise<CreatedSession> {
  const user = await checkPasskey(deps, check, before)
  return replaceSession(deps, actor, before, user, 'passkey')
}

async function checkPasskey(
  deps: SignInWithPasskeyDeps,
  { id, verify }: CheckPasskey,
  before: WebSession | undefined,
): Promise<User> {
  const { globalDatabase } = deps.slots
  const passkey = await readPasskey(globalDatabase, id)
  if (!passkey || (before && passkey.userId !== before.userId)) throw new Denial('wrong-code')
  const challenge = expectChallenge(deps, before ?? 'sign-in')
  const counter = await verify(passkey, challenge.isExpected)
  const user = await readUser(globalDatabase, passkey.userId)
  if (counter === undefined || !user) throw new Denial('wrong-code')
  await challenge.use()
  await notePasskeyUsed(globalDatabase, id, counter)
  return user
}

// What a passkey signs. A challenge is sealed and stored nowhere, so that somebody who asks for many of them writes nothing. It says
// what it is for, and until when. It is used once: with the first right signature its digest is stored, longer than it is valid.

type SealDeps = { readonly recordKeys: KeyRing; readonly nowSeconds: () => number }

type ChallengeDeps = SealDeps & Deps

// Signing in without a session, or a step of one session.
type ChallengePurpose = 'sign-in' | Pick<WebSession, 'digest'>

export function issueChallenge(
  deps: SealDeps & { readonly randomBytes: (bytes: number) => Uint8Array },
  purpose: ChallengePurpose,
): Uint8Array {
  const text = `${Math.floor(deps.nowSeconds()) + challengeSeconds} ${nameOf(purpose)}`
  return Uint8Array.from(seal(deps.recordKeys, 'challenge', 0, text, deps.randomBytes(nonceBytes)))
}

// `isExpected` is asked before the signature is checked, `use` is called after.
export function expectChallenge(deps: ChallengeDeps, purpose: ChallengePurpose) {
  let signed: string | undefined
  return {
    isExpected: async (challenge: string): Promise<boolean> => {
      if (isIssued(deps, purpose, challenge)) signed = challenge
      return signed !== undefined
    },
    use: async (): Promise<void> => {
      const isFirst =
        signed !== undefined && (await insertUsedChallenge(deps.slots.globalDatabase, digestToken(signed)))
      if (!isFirst) throw new Denial('wrong-code')
    },
  }
}

export function isIssued({ recordKeys, nowSeconds }: SealDeps, purpose: ChallengePurpose, challenge: string): boolean {
  try {
    const [until, name] = unseal(recordKeys, 'challenge', 0, Buffer.from(challenge, 'base64url')).split(' ')
    return name === nameOf(purpose) && Number(until) > nowSeconds()
  } catch {
    return false
  }
}

function nameOf(purpose: ChallengePurpose): string {
  return purpose === 'sign-in' ? purpose : purpose.digest.toString('base64url')
}
