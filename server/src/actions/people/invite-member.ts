import type { Language } from '@ringproof/contract/lists/people.ts'
import type { MemberRole } from '@ringproof/contract/web/access.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMembers } from '../../db/people/membership.ts'
import { deleteInvitations, insertLink, listInvitations } from '../../db/people/one-time-link.ts'
import { countTry } from '../../db/people/sign-in-failure.ts'
import { findUser, type User } from '../../db/people/user.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { parseEmail } from '../../domain/people/email.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { plainName } from '../../domain/people/plain-name.ts'
import { invitationsDayMax } from '../../domain/people/sign-in-throttle.ts'
import { daySeconds, hourSeconds } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'
import { countMessage } from './count-message.ts'
import { logByPerson } from './create-session.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly letters: Pick<Letters, 'invitation'>
}

const invitationsMax = 50

export async function inviteMember(
  deps: Deps,
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

export function parsedEmail(text: string): string {
  const email = parseEmail(text)
  if (email === undefined) throw new Denial('invalid', ['email'])
  return email
}
