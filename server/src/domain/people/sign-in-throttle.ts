// Slows down guessing. After five failures in a row each further attempt must wait, twice as long every time, up to fifteen
// minutes; after a hundred in all nothing is tried until the password was reset by mail. What counts together: actions/people/check-password.ts.

import { minutes, secondsOf } from '../values/period.ts'

export type Failures = { readonly total: number; readonly recent: number; readonly secondsAgo: number }

export const failuresInAllMax = 100
export const freeFailures = 5
const waitSecondsMax = 900

// Seconds until the next attempt is evaluated; 0: now; undefined: not at all.
export function secondsToWait({ total, recent, secondsAgo }: Failures): number | undefined {
  if (total >= failuresInAllMax) return undefined
  if (recent < freeFailures) return 0
  const wait = Math.min(waitSecondsMax, 2 ** (recent - freeFailures))
  return Math.max(0, Math.ceil(wait - secondsAgo))
}

// Codes of a second factor: this many attempts in ten minutes, right or wrong.
export const codeTriesMax = 5
export const codeWindow = minutes(10)
export const codeWindowSeconds = secondsOf(codeWindow)

// Calls to an account's own phone, which the operator pays for.
export const ownPhoneCallsDayMax = 5

// Invitations that one account may send: every one goes to somebody who has not asked for it.
export const invitationsDayMax = 20

// Messages to one mailbox: enough for a person who asks again, too few to annoy another.
export const messagesHourMax = 5
