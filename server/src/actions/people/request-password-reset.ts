import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertLink } from '../../db/people/one-time-link.ts'
import { findUser } from '../../db/people/user.ts'
import { parseEmail } from '../../domain/people/email.ts'
import type { Letters } from '../../domain/people/letters.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { Denial } from '../../process/errors.ts'
import { countMessage } from './count-message.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly letters: Pick<Letters, 'reset'>
}

// The same work for an e-mail that nobody has; its link reaches nobody and leads nowhere.
export async function requestPasswordReset(deps: Deps, text: string): Promise<void> {
  const email = parseEmail(text)
  if (email === undefined) throw new Denial('invalid', ['email'])
  const user = await findUser(deps.slots.globalDatabase, email)
  if (!(await countMessage(deps, email, true))) return
  const token = makeToken(deps.randomBytes(tokenBytes))
  await insertLink(deps.slots.globalDatabase, { digest: digestToken(token), kind: 'reset', email, userId: user?.id })
  if (user) deps.letters.reset(user, token)
}
