import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import { notePasskeyUsed, readPasskey } from '../../db/people/second-factor.ts'
import { readUser, type User } from '../../db/people/user.ts'
import type { WebSession } from '../../db/people/web-session.ts'
import type { CheckPasskey } from '../../domain/people/passkey.ts'
import { Denial } from '../../process/errors.ts'
import { type CreatedSession, createSession, logSignIn } from './create-session.ts'
import { type ChallengeDeps, expectChallenge } from './issue-challenge.ts'
import { replaceSession } from './take-second-step.ts'

type Deps = ChallengeDeps & { readonly randomBytes: (bytes: number) => Uint8Array }

// Instead of a password and a second step: the device has checked its user.
export async function signInWithPasskey(deps: Deps, actor: Actor, check: CheckPasskey): Promise<CreatedSession> {
  const user = await checkPasskey(deps, check, undefined)
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await logSignIn({ ...deps, session }, actor, user, { secondStep: 'passkey' })
    return createSession(deps, session, actor, user, true)
  })
}

export async function takeSecondStepWithPasskey(
  deps: Deps,
  actor: Actor,
  before: WebSession,
  check: CheckPasskey,
): Promise<CreatedSession> {
  const user = await checkPasskey(deps, check, before)
  return replaceSession(deps, actor, before, user, 'passkey')
}

async function checkPasskey(deps: Deps, { id, verify }: CheckPasskey, before: WebSession | undefined): Promise<User> {
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
