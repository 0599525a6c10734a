import type { SlotMap } from '../db/slot-map.ts'
import { deleteWebSession, deleteWebSessions, listWebSessions } from '../db/web-session.ts'
import { limitsFor } from '../domain/people/session.ts'
import { Denial } from '../errors.ts'
import type { Visitor } from './find-visitor.ts'
import { sessionIdLength } from './show-security.ts'

type Deps = { readonly slots: SlotMap }

export async function signOut({ slots }: Deps, { session }: Visitor): Promise<void> {
  await deleteWebSession(slots.globalDatabase, session.digest)
}

// One of the person's own sessions, by the ID that the list shows.
export async function endSession({ slots }: Deps, { user }: Visitor, id: string): Promise<void> {
  const sessions = await listWebSessions(slots.globalDatabase, user.id, limitsFor(user.operatorRole))
  const found = sessions.find(({ digest }) => digest.toString('hex').slice(0, sessionIdLength) === id)
  if (!found) throw new Denial('not-found')
  await deleteWebSession(slots.globalDatabase, found.digest)
}

export async function endOtherSessions({ slots }: Deps, { user, session }: Visitor): Promise<void> {
  await deleteWebSessions(slots.globalDatabase, user.id, session.digest)
}
