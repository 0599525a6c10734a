import type { Language } from '@ringproof/contract/lists/people.ts'
import type { Actor } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readInstallation } from '../../db/installation/installation.ts'
import { insertLink } from '../../db/people/one-time-link.ts'
import { findUser } from '../../db/people/user.ts'
import { isTimeZone } from '../../domain/accounts/quiet-hours.ts'
import { parseEmail } from '../../domain/people/email.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { type Passwords, passwordFaults } from '../../domain/people/password.ts'
import { Denial } from '../../process/errors.ts'
import { strangerAt } from '../people/check-password.ts'
import { countMessage } from '../people/count-message.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly passwords: Passwords
  readonly letters: Pick<Letters, 'signUp' | 'knownEmail'>
}

type Command = {
  readonly email: string
  readonly password: string
  readonly accountName: string
  readonly language: Language
  readonly timeZone: string
  readonly acceptsTerms: boolean
}

// Creates nothing but a link: the account comes with the confirmation of the e-mail. An e-mail that has a user gets another
// message, and the response is the same. Returns what the browser keeps until then: see confirm-email.ts.
export async function signUp(deps: Deps, { address }: Actor, command: Command): Promise<string> {
  const { slots, passwords, letters } = deps
  const { language, accountName } = command
  const installation = await readInstallation(slots.globalDatabase)
  if (!installation.isSignUpOpen) throw new Denial('forbidden')
  const email = parseEmail(command.email)
  if (email === undefined) throw new Denial('invalid', ['email'])
  if (!command.acceptsTerms && installation.termsUrl !== '') throw new Denial('invalid', ['acceptsTerms'])
  if (accountName.trim() === '') throw new Denial('invalid', ['accountName'])
  if (passwordFaults(command.password, email).length > 0) throw new Denial('weak-password', ['password'])

  const passwordHash = await passwords.hash(strangerAt(address), command.password)
  const user = await findUser(slots.globalDatabase, email)
  const browser = makeToken(deps.randomBytes(tokenBytes))
  // Before anything is written: what nobody gets a message for leaves no row.
  if (!(await countMessage(deps, email))) return browser
  const token = makeToken(deps.randomBytes(tokenBytes))
  // Written for a known e-mail too, so that both take the same time; nobody gets its token.
  await insertLink(slots.globalDatabase, {
    digest: digestToken(token),
    kind: 'sign-up',
    email,
    payload: {
      passwordHash,
      browser: digestToken(browser).toString('hex'),
      accountName: accountName.trim(),
      language,
      timeZone: isTimeZone(command.timeZone) ? command.timeZone : 'Europe/Moscow',
      termsVersion: command.acceptsTerms && installation.termsUrl !== '' ? installation.termsVersion : '',
    },
  })
  if (user) letters.knownEmail(user)
  else letters.signUp({ email, language }, token)
  return browser
}
