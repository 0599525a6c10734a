import type { Language } from '@ringproof/contract/lists/people.ts'
import { memberRoles, operatorRoles } from '@ringproof/contract/web/access.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { putMembership } from '../../db/people/membership.ts'
import { type OneTimeLink, readLink, useLink } from '../../db/people/one-time-link.ts'
import { findUser, insertUser, setOperatorRole } from '../../db/people/user.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { type Passwords, passwordFaults } from '../../domain/people/password.ts'
import { Denial } from '../../process/errors.ts'
import { checkPassword, strangerAt } from './check-password.ts'
import { type CreatedSession, createSession, logByPerson } from './create-session.ts'
import { lockOperators, refuseWithoutAdmin } from './set-operator.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly passwords: Passwords
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
export async function acceptInvitation(deps: Deps, actor: Actor, command: Command): Promise<CreatedSession> {
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
