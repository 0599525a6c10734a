import type { Language } from '@ringproof/contract/lists/people.ts'
import { findAccountByEmail, readAccount, setAccountProfile } from '../../db/accounts/account.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readInstallation } from '../../db/installation/installation.ts'
import { listMembers, putMembership } from '../../db/people/membership.ts'
import { insertLink, type OneTimeLink, readLink, useLink } from '../../db/people/one-time-link.ts'
import { findUser, insertUser } from '../../db/people/user.ts'
import { isTimeZone } from '../../domain/accounts/quiet-hours.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { defaultTariff } from '../../domain/money/tariff.ts'
import { parseEmail } from '../../domain/people/email.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { type Passwords, passwordFaults } from '../../domain/people/password.ts'
import { Denial } from '../../process/errors.ts'
import { type CreatedSession, createSession, logSignIn } from '../people/create-session.ts'
import { isSignUpOpen } from '../people/me-view.ts'
import { countMessage } from '../people/security-changes.ts'
import { checkPassword, strangerAt } from '../people/sign-in.ts'
import { createAccount } from './accounts.ts'

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
  if (!(await isSignUpOpen(slots, installation))) throw new Denial('forbidden')
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

type ConfirmEmailCommand = {
  readonly token: string
  // What the browser that signed up was given.
  readonly browser: string | undefined
  readonly password: string | undefined
}

// The password was chosen at sign-up. In another browser it must be given, or a stranger could sign up with somebody's e-mail,
// wait for the click and share the account.
//
// Creates the account, then the person, and signs them in. A process that dies in between leaves an account without a person; the
// link still works and finds it by its e-mail, as it finds an account that an operator has created for this e-mail.
export async function confirmEmail(
  deps: Pick<Deps, 'slots' | 'randomBytes' | 'passwords'>,
  actor: Actor,
  command: ConfirmEmailCommand,
): Promise<CreatedSession> {
  const { globalDatabase } = deps.slots
  const digest = digestToken(command.token)
  const link = await readLink(globalDatabase, 'sign-up', digest)
  if (!link || (await findUser(globalDatabase, link.email))) throw new Denial('link-used')
  await refuseStranger(deps, actor, link, command)
  const accountId = await ownAccount(deps, actor, link)
  return inTransaction(globalDatabase, async (session) => {
    if (!(await useLink(session, 'sign-up', digest))) throw new Denial('link-used')
    const { language = 'en', passwordHash = '', termsVersion = '' } = link.payload
    const newUser = { email: link.email, name: '', language, passwordHash, termsVersion }
    const userId = await insertUser(session, { ...newUser, signedUpAt: link.createdAt })
    if (userId === undefined) throw new Denial('link-used')
    await putMembership(session, userId, { accountId, role: 'owner' })
    const inserted = await findUser(session, link.email)
    if (!inserted) throw new Error('the user was not stored')
    await logSignIn({ ...deps, session }, actor, inserted, { first: true })
    return createSession(deps, session, actor, inserted, false)
  })
}

async function refuseStranger(
  deps: Pick<Deps, 'slots' | 'randomBytes' | 'passwords'>,
  { address }: Actor,
  { payload }: OneTimeLink,
  { token, browser, password }: ConfirmEmailCommand,
): Promise<void> {
  if (browser !== undefined && digestToken(browser).toString('hex') === payload['browser']) return
  if (password === undefined) throw new Denial('password-needed', ['password'])
  // Only who has the link can use up its attempts.
  const failures = digestToken(`confirm ${token}`)
  if (!(await checkPassword(deps, strangerAt(address), failures, password, payload['passwordHash'])))
    throw new Denial('wrong-credentials', ['password'])
}

async function ownAccount(
  deps: Pick<Deps, 'slots' | 'randomBytes' | 'passwords'>,
  actor: Actor,
  { email, payload }: OneTimeLink,
): Promise<AccountId> {
  const { slots } = deps
  const known = await findAccountByEmail(slots.globalDatabase, email)
  // An account that has people already belongs to them, whatever its e-mail is.
  if (known !== undefined && (await listMembers(slots.globalDatabase, known)).length > 0) throw new Denial('link-used')
  const exists = known !== undefined && (await readAccount(slots.databaseOf(slotOfAccount(known)), known)) !== undefined
  const command = { email, balance: 0 as MicroAmount, tariff: defaultTariff }
  const id = exists ? known : await createAccount(deps, actor, command)
  await setAccountProfile(slots.databaseOf(slotOfAccount(id)), id, {
    name: payload['accountName'] ?? '',
    timeZone: payload['timeZone'] ?? 'Europe/Moscow',
  })
  return id
}
