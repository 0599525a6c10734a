import type { Language } from '@ringproof/contract/lists/people.ts'
import { type MemberRole, memberRoles, type OperatorRole, operatorRoles } from '@ringproof/contract/web/access.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMembers, putMembership } from '../../db/people/membership.ts'
import {
  deleteInvitations,
  deleteOperatorLinks,
  insertLink,
  listInvitations,
  type OneTimeLink,
  readLink,
  useLink,
} from '../../db/people/one-time-link.ts'
import { countTry } from '../../db/people/sign-in-failure.ts'
import { findUser, insertUser, setOperatorRole, type User } from '../../db/people/user.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { parseEmail, plainName } from '../../domain/people/email.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { type Passwords, passwordFaults } from '../../domain/people/password.ts'
import { invitationsDayMax } from '../../domain/people/sign-in-throttle.ts'
import { daySeconds, hourSeconds } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'
import { type CreatedSession, createSession, logByPerson } from './create-session.ts'
import { lockOperators, refuseWithoutAdmin } from './members.ts'
import { countMessage } from './security-changes.ts'
import { checkPassword, strangerAt } from './sign-in.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly passwords: Passwords
}
type InviteDeps<Letter extends keyof Letters> = Pick<Deps, 'slots' | 'randomBytes'> & {
  readonly letters: Pick<Letters, Letter>
}

const invitationsMax = 50

export async function inviteMember(
  deps: InviteDeps<'invitation'>,
  actor: Actor,
  by: User,
  command: { accountId: AccountId; email: string; role: MemberRole; language: Language },
): Promise<void> {
  const { slots, letters } = deps
  const { accountId, role, language } = command
  const email = parsedEmail(command.email)
  const members = await listMembers(slots.globalDatabase, accountId)
  if (members.some((member) => member.email === email)) throw new Denial('taken', ['email'])
  if ((await listInvitations(slots.globalDatabase, accountId)).length >= invitationsMax) throw new Denial('too-many')
  const sentToday = await countTry(slots.globalDatabase, digestToken(`invitations ${accountId}`), daySeconds)
  if (sentToday > invitationsDayMax) throw new Denial('throttled')
  if (!(await countMessage(deps, email))) throw new Denial('throttled', ['email'], hourSeconds)
  const account = await readAccount(slots.databaseOf(slotOfAccount(accountId)), accountId)
  const token = makeToken(deps.randomBytes(tokenBytes))
  const link = { digest: digestToken(token), kind: 'invitation', email, accountId, payload: { role } } as const
  await inTransaction(slots.globalDatabase, async (session) => {
    // A second invitation replaces the first.
    await deleteInvitations(session, accountId, email)
    await insertLink(session, link)
    await logByPerson(session, actor, by, { accountId, action: 'member invited', details: { email, role } })
  })
  const known = await findUser(slots.globalDatabase, email)
  const to = { email, language: known?.language ?? language }
  letters.invitation(to, token, { by: by.email, account: plainName(account?.name ?? ''), role })
}

function parsedEmail(text: string): string {
  const email = parseEmail(text)
  if (email === undefined) throw new Denial('invalid', ['email'])
  return email
}

// Returns the token: the CLI prints the link of the first operator, who has nobody to invite them.
export async function inviteOperator(
  deps: InviteDeps<'operator'>,
  actor: Actor,
  by: Pick<User, 'email'>,
  command: { readonly email: string; readonly role: OperatorRole; readonly language: Language },
): Promise<string> {
  const { slots, letters } = deps
  const email = parsedEmail(command.email)
  const token = makeToken(deps.randomBytes(tokenBytes))
  const { role, language } = command
  await inTransaction(slots.globalDatabase, async (session) => {
    // A second invitation replaces the first.
    await deleteOperatorLinks(session, email)
    await insertLink(session, { digest: digestToken(token), kind: 'operator', email, payload: { role } })
    await logByPerson(session, actor, by, { accountId: null, action: 'operator invited', details: { email, role } })
  })
  const known = await findUser(slots.globalDatabase, email)
  letters.operator({ email, language: known?.language ?? language }, token)
  return token
}

type Command = {
  readonly token: string
  readonly password: string
  readonly name: string
  readonly language: Language
}

type Invitation = OneTimeLink & { readonly kind: 'invitation' | 'operator' }

// Who is invited: shown before they accept.
export async function readInvitation(
  { slots }: Pick<Deps, 'slots'>,
  token: string,
): Promise<{ readonly email: string; readonly accountName: string; readonly needsPassword: boolean }> {
  const link = await findInvitation(slots, token)
  const user = await findUser(slots.globalDatabase, link.email)
  const account =
    link.accountId === null
      ? undefined
      : await readAccount(slots.databaseOf(slotOfAccount(link.accountId)), link.accountId)
  return { email: link.email, accountName: account?.name ?? '', needsPassword: user === undefined }
}

// Somebody who has a user already proves it with the password; somebody new sets one. The link alone never signs in a known user.
export async function acceptInvitation(
  deps: Pick<Deps, 'slots' | 'randomBytes' | 'passwords'>,
  actor: Actor,
  command: Command,
): Promise<CreatedSession> {
  const { slots, passwords } = deps
  const { globalDatabase } = slots
  const asker = strangerAt(actor.address)
  const link = await findInvitation(slots, command.token)
  const known = await findUser(globalDatabase, link.email)
  if (known) {
    // As at sign-in: the link must not be a way to guess the password. Only who has it can use up its attempts.
    const failures = digestToken(`accept ${command.token}`)
    if (!(await checkPassword(deps, asker, failures, command.password, known.passwordHash)))
      throw new Denial('wrong-credentials', ['password'])
  }
  if (!known && passwordFaults(command.password, link.email).length > 0) throw new Denial('weak-password', ['password'])
  const passwordHash = known ? known.passwordHash : await passwords.hash(asker, command.password)
  return inTransaction(globalDatabase, async (session) => {
    if (!(await useLink(session, link.kind, digestToken(command.token)))) throw new Denial('link-used')
    // The page of the invitation shows no terms, so none are accepted.
    const fresh = { email: link.email, name: command.name, language: command.language, passwordHash, termsVersion: '' }
    if (!known) await insertUser(session, { ...fresh, signedUpAt: undefined })
    await giveRole(session, actor, link)
    const stored = await findUser(session, link.email)
    if (!stored) throw new Error('the user was not stored')
    await logByPerson(session, actor, stored, { accountId: link.accountId, action: 'invitation accepted', details: {} })
    return createSession(deps, session, actor, stored, false)
  })
}

async function giveRole(session: Session, actor: Actor, link: Invitation): Promise<void> {
  const user = await findUser(session, link.email)
  if (!user) throw new Denial('link-used')
  if (link.kind === 'operator') {
    const role = roleIn(link, operatorRoles)
    refuseWithoutAdmin(await lockOperators(session), user.id, role)
    await setOperatorRole(session, actor, user.email, { userId: user.id, role })
  } else if (link.accountId !== null)
    await putMembership(session, user.id, { accountId: link.accountId, role: roleIn(link, memberRoles) })
}

async function findInvitation(slots: SlotMap, token: string): Promise<Invitation> {
  for (const kind of ['invitation', 'operator'] as const) {
    const link = await readLink(slots.globalDatabase, kind, digestToken(token))
    if (link) return { ...link, kind }
  }
  throw new Denial('link-used')
}

// A role that does not exist any more is given to nobody.
function roleIn<Role extends string>({ payload }: OneTimeLink, roles: readonly Role[]): Role {
  const role = roles.find((one) => one === payload['role'])
  if (!role) throw new Denial('link-used')
  return role
}
