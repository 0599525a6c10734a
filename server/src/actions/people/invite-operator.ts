import type { Language } from '@ringproof/contract/lists/people.ts'
import type { OperatorRole } from '@ringproof/contract/web/access.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteOperatorLinks, insertLink } from '../../db/people/one-time-link.ts'
import { findUser, type User } from '../../db/people/user.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { logByPerson } from './create-session.ts'
import { parsedEmail } from './invite-member.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly letters: Pick<Letters, 'operator'>
}

// Returns the token: the CLI prints the link of the first operator, who has nobody to invite them.
export async function inviteOperator(
  deps: Deps,
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
