import type { SlotMap } from '../../db/core/slot-map.ts'
import { countTry } from '../../db/people/sign-in-failure.ts'
import { mailboxOf } from '../../domain/people/email.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { messagesHourMax } from '../../domain/people/sign-in-throttle.ts'
import { hourSeconds } from '../../domain/values/time.ts'

// Counts a message to this mailbox. False: it has had enough for this hour. Links to set a new password are counted apart: they are
// the way back in, and a stranger must not use them up with other messages.
export async function countMessage(
  { slots }: { readonly slots: SlotMap },
  email: string,
  isReset = false,
): Promise<boolean> {
  const digest = digestToken(`${isReset ? 'reset' : 'message'} ${mailboxOf(email)}`)
  return (await countTry(slots.globalDatabase, digest, hourSeconds)) <= messagesHourMax
}
