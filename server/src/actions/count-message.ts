import { countTry } from '../db/sign-in-failure.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { digestToken } from '../domain/people/one-time-token.ts'
import { hourSeconds, messagesHourMax } from '../domain/people/sign-in-throttle.ts'

// Counts a message to this e-mail address. False: it has had enough for this hour.
export async function countMessage({ slots }: { readonly slots: SlotMap }, email: string): Promise<boolean> {
  return (await countTry(slots.globalDatabase, digestToken(`message ${email}`), hourSeconds)) <= messagesHourMax
}
