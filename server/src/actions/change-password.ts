import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { changeUser, type User } from '../db/user.ts'
import { deleteWebSessions, type WebSession } from '../db/web-session.ts'
import type { Letters } from '../domain/people/letters.ts'
import { type Passwords, passwordFaults } from '../domain/people/password.ts'
import { Denial } from '../errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly passwords: Passwords
  readonly letters: Pick<Letters, 'passwordChanged'>
}

// Ends all other sessions.
export async function changePassword(deps: Deps, here: WebSession, user: User, password: string): Promise<void> {
  if (passwordFaults(password, user.email).length > 0) throw new Denial('weak-password', ['password'])
  const passwordHash = await deps.passwords.hash(password)
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    await changeUser(session, user.id, { passwordHash })
    await deleteWebSessions(session, user.id, here.digest)
  })
  deps.letters.passwordChanged(user)
}
