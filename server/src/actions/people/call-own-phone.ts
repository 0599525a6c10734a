// The account's own phone, where the operator demands it (code 1005): we call it with our own product, and the owner types the last
// four digits (confirm-own-phone.ts). Only a digest of the code waits for them.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteOwnPhoneLinks, insertLink } from '../../db/people/one-time-link.ts'
import { countTry } from '../../db/people/sign-in-failure.ts'
import type { User } from '../../db/people/user.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { mask, type PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { ownPhoneCallsDayMax } from '../../domain/people/sign-in-throttle.ts'
import { daySeconds } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  // Rings the phone and returns the code; undefined if the number cannot be called.
  readonly ring: (phone: PhoneNumber) => Promise<string | undefined>
}

export async function callOwnPhone(
  { slots, ring }: Deps,
  user: User,
  accountId: AccountId,
  text: string,
): Promise<string> {
  const phone = text.replaceAll(/[\s()+-]/g, '') as PhoneNumber
  if (!/^[1-9]\d{6,14}$/.test(phone)) throw new Denial('invalid', ['phone'])
  // Each call costs the operator.
  for (const by of [`account ${accountId}`, `user ${user.id}`]) {
    const tries = await countTry(slots.globalDatabase, digestToken(`own-phone call, ${by}`), daySeconds)
    if (tries > ownPhoneCallsDayMax) throw new Denial('throttled', [], daySeconds)
  }
  const code = await ring(phone)
  if (code === undefined) throw new Denial('invalid', ['phone'])
  const digest = ownPhoneDigest(accountId, code)
  // Only the code of the last call counts.
  await deleteOwnPhoneLinks(slots.globalDatabase, accountId)
  await insertLink(slots.globalDatabase, { digest, kind: 'own-phone', email: user.email, accountId })
  return mask(phone)
}

export function ownPhoneDigest(accountId: AccountId, code: string): Buffer {
  return digestToken(`own-phone ${accountId} ${code}`)
}
