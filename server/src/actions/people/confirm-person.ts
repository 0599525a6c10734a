import type { confirmationKinds } from '@ringproof/contract/lists/people.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { User } from '../../db/people/user.ts'
import { confirmWebSession, type WebSession } from '../../db/people/web-session.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import type { Passwords } from '../../domain/people/password.ts'
import { Denial } from '../../process/errors.ts'
import { checkPassword, personKnown } from './check-password.ts'
import { factorsOf } from './create-session.ts'
import { type CodeDeps, checkCode } from './take-second-step.ts'

type Deps = CodeDeps & { readonly slots: SlotMap; readonly passwords: Passwords }
type Command = { readonly kind: (typeof confirmationKinds)[number]; readonly code: string }

// Opens the guarded changes for ten minutes. The password is enough for somebody without an authenticator app.
export async function confirmPerson(
  deps: Deps,
  session: WebSession,
  user: User,
  { kind, code }: Command,
): Promise<void> {
  if (kind === 'password') {
    if (factorsOf(user).includes('totp')) throw new Denial('wrong-code', ['code'])
    if (!(await checkPassword(deps, personKnown(user.id), triesIn(session, 'password'), code, user.passwordHash)))
      throw new Denial('wrong-code', ['code'])
  } else await checkCode(deps, user.id, { kind, code }, triesIn(session, 'code'))
  await confirmWebSession(deps.slots.globalDatabase, session.digest)
}

// A session counts by itself: only who has it can use it up.
function triesIn({ digest }: WebSession, what: 'password' | 'code'): Buffer {
  return digestToken(`confirm by ${what} in ${digest.toString('hex')}`)
}
