import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMemberships } from '../../db/people/membership.ts'
import { readLink, useLink } from '../../db/people/one-time-link.ts'
import { clearFailures } from '../../db/people/sign-in-failure.ts'
import { changeUser, readUser } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { type Passwords, passwordFaults } from '../../domain/people/password.ts'
import { Denial } from '../../process/errors.ts'
import { failuresOf, personKnown } from './check-password.ts'
import { logByPerson } from './create-session.ts'

type Deps = {
  readonly slots: SlotMap
  readonly passwords: Passwords
  readonly letters: Pick<Letters, 'passwordChanged'>
}

// Ends every session; the person signs in again, with the second step if there is one.
export async function resetPassword(
  { slots, passwords, letters }: Deps,
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
