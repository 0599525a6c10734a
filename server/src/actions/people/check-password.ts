// Evaluates a password, and slows down guessing. Who guesses is counted apart: strangers by the e-mail, a browser that signed in
// before, an open session and the holder of a link each by themselves. So nobody keeps another one out.

import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { clearFailures, countFailure, lockFailures, readFailures } from '../../db/people/sign-in-failure.ts'
import type { UserId } from '../../db/people/user.ts'
import { limitKey } from '../../domain/accounts/client-address.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import type { Asker, Passwords } from '../../domain/people/password.ts'
import { type Failures, secondsToWait } from '../../domain/people/sign-in-throttle.ts'
import { Denial } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly passwords: Passwords }

export async function checkPassword(
  { slots, passwords }: Deps,
  asker: Asker,
  failures: Buffer,
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const { globalDatabase } = slots
  refuseEarly(await readFailures(globalDatabase, failures))
  // Counted as failed before it is evaluated, so that many attempts at once are no way around the limit, and only when it is its
  // turn: an attempt that is never evaluated is not counted.
  const count = () =>
    inTransaction(globalDatabase, async (session) => {
      refuseEarly(await lockFailures(session, failures))
      await countFailure(session, failures)
    })
  const isRight = await passwords.matches(asker, password, stored, count)
  if (isRight) await clearFailures(globalDatabase, failures)
  return isRight
}

export function strangerAt(address: string): Asker {
  return { isKnown: false, key: limitKey(address) }
}

export function personKnown(userId: UserId): Asker {
  return { isKnown: true, key: String(userId) }
}

// Of strangers, or of one browser that its person has signed in with.
export function failuresOf(email: string, browser?: string): Buffer {
  return digestToken(browser === undefined ? `sign-in ${email}` : `sign-in ${email} in ${browser}`)
}

function refuseEarly(failures: Failures): void {
  const wait = secondsToWait(failures)
  if (wait !== 0) throw new Denial('throttled', [], wait)
}
