import type { Actor } from '../../db/core/action-log.ts'
import type { Session } from '../../db/core/database.ts'
import { logByPerson } from './create-session.ts'
import type { Visitor } from './find-visitor.ts'

// In the log of the account that the person is looking at; an operator without an account has an entry of the installation.
export async function noteSecurityChange(
  session: Session,
  actor: Actor,
  { user, membership }: Visitor,
  action: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await logByPerson(session, actor, user, { accountId: membership?.accountId ?? null, action, details })
}
