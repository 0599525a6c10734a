import { clearFailures } from '../db/sign-in-failure.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { User } from '../db/user.ts'
import { confirmWebSession, type WebSession } from '../db/web-session.ts'
import type { Passwords } from '../domain/people/password.ts'
import { Denial } from '../errors.ts'
import { factorsOf } from './create-session.ts'
import { countAttempt, failuresOf } from './sign-in.ts'
import { type CodeDeps, checkCode } from './take-second-step.ts'

type Deps = CodeDeps & { readonly slots: SlotMap; readonly passwords: Passwords }
type Command = { readonly kind: 'password' | 'totp' | 'telegram' | 'recovery'; readonly code: string }

// Opens the guarded changes for ten minutes. The password is enough for somebody without an authenticator app.
export async function confirmPerson(
  deps: Deps,
  session: WebSession,
  user: User,
  { kind, code }: Command,
): Promise<void> {
  if (kind === 'password') {
    if (factorsOf(user).includes('totp')) throw new Denial('wrong-code', ['code'])
    await countAttempt(deps.slots, user.email)
    if (!(await deps.passwords.matches(code, user.passwordHash))) throw new Denial('wrong-code', ['code'])
    await clearFailures(deps.slots.globalDatabase, failuresOf(user.email))
  } else await checkCode(deps, user.id, { kind, code })
  await confirmWebSession(deps.slots.globalDatabase, session.digest)
}
