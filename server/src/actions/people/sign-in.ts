import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { findUser } from '../../db/people/user.ts'
import { parseEmail } from '../../domain/people/email.ts'
import type { Passwords } from '../../domain/people/password.ts'
import { Denial } from '../../process/errors.ts'
import { checkPassword, failuresOf, personKnown, strangerAt } from './check-password.ts'
import { type CreatedSession, createSession, logSignIn } from './create-session.ts'
import { type BrowserDeps, knownBrowser } from './known-browser.ts'

type Deps = BrowserDeps & {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly passwords: Passwords
}

type Command = {
  readonly email: string
  readonly password: string
  // What the browser was given when somebody signed in with it.
  readonly browsers: string | undefined
}

// An unknown e-mail is throttled, takes as long and gets the same refusal as a wrong password.
export async function signIn(deps: Deps, actor: Actor, command: Command): Promise<CreatedSession> {
  const { globalDatabase } = deps.slots
  const email = parseEmail(command.email)
  if (email === undefined) throw new Denial('invalid', ['email'])
  const user = await findUser(globalDatabase, email)
  const browser = user && knownBrowser(deps, user, command.browsers)
  const asker = user && browser !== undefined ? personKnown(user.id) : strangerAt(actor.address)
  const isRight = await checkPassword(deps, asker, failuresOf(email, browser), command.password, user?.passwordHash)
  if (!isRight || !user) throw new Denial('wrong-credentials')
  return inTransaction(globalDatabase, async (session) => {
    const created = await createSession(deps, session, actor, user, false)
    if (created.stage === 'signed-in') await logSignIn({ ...deps, session }, actor, user, {})
    return created
  })
}
