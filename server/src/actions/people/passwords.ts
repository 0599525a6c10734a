import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMemberships } from '../../db/people/membership.ts'
import { insertLink, readLink, useLink } from '../../db/people/one-time-link.ts'
import { clearFailures } from '../../db/people/sign-in-failure.ts'
import { changeUser, findUser, readUser } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import { parseEmail } from '../../domain/people/email.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { type Passwords, passwordFaults } from '../../domain/people/password.ts'
import { Denial } from '../../process/errors.ts'
import { logByPerson } from './create-session.ts'
import { countMessage, noteSecurityChange } from './security-changes.ts'
import { failuresOf, personKnown } from './sign-in.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly letters: Pick<Letters, 'reset' | 'passwordChanged'>
  readonly passwords: Passwords
}

// The same work for an e-mail that nobody has; its link reaches nobody and leads nowhere.
export async function requestPasswordReset(
  deps: Pick<Deps, 'slots' | 'randomBytes' | 'letters'>,
  text: string,
): Promise<void> {
  const email = parseEmail(text)
  if (email === undefined) throw new Denial('invalid', ['email'])
  const user = await findUser(deps.slots.globalDatabase, email)
  if (!(await countMessage(deps, email, true))) return
  const token = makeToken(deps.randomBytes(tokenBytes))
  await insertLink(deps.slots.globalDatabase, { digest: digestToken(token), kind: 'reset', email, userId: user?.id })
  if (user) deps.letters.reset(user, token)
}

// Ends every session; the person signs in again, with the second step if there is one.
export async function resetPassword(
  { slots, passwords, letters }: Pick<Deps, 'slots' | 'passwords' | 'letters'>,
  actor: Actor,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const { globalDatabase } = slots
  const digest = digestToken(token)
  const link = await readLink(globalDatabase, 'reset', digest)
  const user = link?.userId ? await readUser(globalDatabase, link.userId) : undefined
  if (!user) throw new Denial('link-used')
  if (passwordFaults(password, user.email).length > 0) throw new Denial('weak-password', ['password'])
  const passwordHash = await passwords.hash(personKnown(user.id), password)
  await inTransaction(globalDatabase, async (session) => {
    if (!(await useLink(session, 'reset', digest))) throw new Denial('link-used')
    await changeUser(session, user.id, { passwordHash })
    await deleteWebSessions(session, user.id)
    await clearFailures(session, failuresOf(user.email))
    const [first] = await listMemberships(session, user.id)
    const entry = { accountId: first?.accountId ?? null, action: 'password reset', details: {} }
    await logByPerson(session, actor, user, entry)
  })
  letters.passwordChanged(user)
}

// Ends all other sessions.
export async function changePassword(
  deps: Pick<Deps, 'slots' | 'passwords' | 'letters'>,
  actor: Actor,
  visitor: Visitor,
  password: string,
): Promise<void> {
  const { session: here, user } = visitor
  if (passwordFaults(password, user.email).length > 0) throw new Denial('weak-password', ['password'])
  const passwordHash = await deps.passwords.hash(personKnown(user.id), password)
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    await changeUser(session, user.id, { passwordHash })
    await deleteWebSessions(session, user.id, here.digest)
    // They guessed at the old one.
    await clearFailures(session, failuresOf(user.email))
    await noteSecurityChange(session, actor, visitor, 'password changed')
  })
  deps.letters.passwordChanged(user)
}
