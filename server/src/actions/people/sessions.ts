import { readAccount } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { forgetBrowsers } from '../../db/people/user.ts'
import {
  deleteWebSession,
  deleteWebSessions,
  endView as endInDatabase,
  listWebSessions,
  startView,
} from '../../db/people/web-session.ts'
import { isAccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { limitsFor, viewSeconds } from '../../domain/people/session.ts'
import { Denial } from '../../process/errors.ts'
import { sessionIdLength } from './me-view.ts'
import { noteSecurityChange } from './security-changes.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
}

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

// An operator opens the dashboard of a customer, to see what the customer sees. It is read-only, ends after half an hour, and the
// customer's log says that it happened.

type Command = { readonly accountId: number; readonly reason: string }

export async function viewCustomer(
  { slots }: Deps,
  actor: Actor,
  { session }: Visitor,
  { accountId, reason }: Command,
): Promise<void> {
  if (!isAccountId(accountId)) throw new Denial('not-found')
  const database = slots.databaseOf(slotOfAccount(accountId))
  if (!(await readAccount(database, accountId))) throw new Denial('not-found')
  const details = { reason, minutes: viewSeconds / 60 }
  await inTransaction(slots.globalDatabase, async (transaction) => {
    await logAction(transaction, actor, { accountId, action: 'dashboard viewed', details })
    await startView(transaction, session.digest, accountId, viewSeconds)
  })
}

// The operator stops looking at a customer's dashboard. A view that had ended by itself leaves no entry.
export async function endView({ slots }: Deps, actor: Actor, { session, view }: Visitor): Promise<void> {
  await inTransaction(slots.globalDatabase, async (transaction) => {
    await endInDatabase(transaction, session.digest)
    if (!view) return
    const { accountId } = view
    await logAction(transaction, actor, { accountId, action: 'dashboard view ended', details: {} })
  })
}
