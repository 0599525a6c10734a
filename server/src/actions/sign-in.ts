import type { Actor } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import { clearFailures, countFailure, lockFailures } from '../db/sign-in-failure.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { findUser } from '../db/user.ts'
import { digestToken } from '../domain/people/one-time-token.ts'
import type { Passwords } from '../domain/people/password.ts'
import { secondsToWait } from '../domain/people/sign-in-throttle.ts'
import { Denial } from '../errors.ts'
import { type CreatedSession, createSession, logSignIn } from './create-session.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly passwords: Passwords
}

// An unknown e-mail is throttled, takes as long and gets the same refusal as a wrong password.
export async function signIn(
  deps: Deps,
  actor: Actor,
  command: { readonly email: string; readonly password: string },
): Promise<CreatedSession> {
  const { globalDatabase } = deps.slots
  const email = command.email.trim().toLowerCase()
  await countAttempt(deps.slots, email)
  const user = await findUser(globalDatabase, email)
  if (!(await deps.passwords.matches(command.password, user?.passwordHash)) || !user)
    throw new Denial('wrong-credentials')
  await clearFailures(globalDatabase, failuresOf(email))
  const created = await inTransaction(globalDatabase, (session) => createSession(deps, session, actor, user, false))
  if (created.stage === 'signed-in') await logSignIn(deps.slots, actor, user, {})
  return created
}

export function failuresOf(email: string): Buffer {
  return digestToken(`sign-in ${email}`)
}

// Counted as failed before it is evaluated, so that many attempts at once are no way around the limit.
export async function countAttempt({ globalDatabase }: SlotMap, email: string): Promise<void> {
  const digest = failuresOf(email)
  const wait = await inTransaction(globalDatabase, async (session) => {
    const seconds = secondsToWait(await lockFailures(session, digest))
    if (seconds === 0) await countFailure(session, digest)
    return seconds
  })
  if (wait !== 0) throw new Denial('throttled', [], wait)
}
