import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { forgetBrowsers } from '../../db/people/user.ts'
import { deleteWebSession, deleteWebSessions, listWebSessions } from '../../db/people/web-session.ts'
import { limitsFor } from '../../domain/people/session.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from './find-visitor.ts'
import { noteSecurityChange } from './note-security-change.ts'
import { sessionIdLength } from './show-security.ts'

type Deps = { readonly slots: SlotMap }

export async function signOut({ slots }: Deps, { session }: Visitor): Promise<void> {
  await deleteWebSession(slots.globalDatabase, session.digest)
}

// One of the person's own sessions, by the ID that the list shows.
export async function endSession({ slots }: Deps, actor: Actor, visitor: Visitor, id: string): Promise<void> {
  const { user } = visitor
  const sessions = await listWebSessions(slots.globalDatabase, user.id, limitsFor(user.operatorRole))
  const found = sessions.find(({ digest }) => digest.toString('hex').slice(0, sessionIdLength) === id)
  if (!found) throw new Denial('not-found')
  await inTransaction(slots.globalDatabase, async (session) => {
    await deleteWebSession(session, found.digest)
    await noteSecurityChange(session, actor, visitor, 'session ended')
  })
}

// Also forgets in which browsers the person has signed in.
export async function endOtherSessions({ slots }: Deps, actor: Actor, visitor: Visitor): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    await deleteWebSessions(session, visitor.user.id, visitor.session.digest)
    await forgetBrowsers(session, visitor.user.id)
    await noteSecurityChange(session, actor, visitor, 'other sessions ended')
  })
}
