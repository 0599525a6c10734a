import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { clearFailures } from '../../db/people/sign-in-failure.ts'
import { changeUser } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { type Passwords, passwordFaults } from '../../domain/people/password.ts'
import { Denial } from '../../process/errors.ts'
import { failuresOf, personKnown } from './check-password.ts'
import type { Visitor } from './find-visitor.ts'
import { noteSecurityChange } from './note-security-change.ts'

type Deps = {
  readonly slots: SlotMap
  readonly passwords: Passwords
  readonly letters: Pick<Letters, 'passwordChanged'>
}

// Ends all other sessions.
export async function changePassword(deps: Deps, actor: Actor, visitor: Visitor, password: string): Promise<void> {
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
