import type { Language } from '@ringproof/contract/lists/people.ts'
import { setAccountProfile, setMustVerifyPhone } from '../../db/accounts/account.ts'
import { insertStartStep } from '../../db/accounts/start-step.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteOwnPhoneLinks, insertLink, useLink } from '../../db/people/one-time-link.ts'
import { clearFailures, countTry } from '../../db/people/sign-in-failure.ts'
import { changeUser, type User } from '../../db/people/user.ts'
import { chooseAccount as writeChoice } from '../../db/people/web-session.ts'
import { isTimeZone } from '../../domain/accounts/quiet-hours.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { mask, type PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { codeTriesMax, codeWindowSeconds, ownPhoneCallsDayMax } from '../../domain/people/sign-in-throttle.ts'
import { daySeconds } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
  // Rings the phone and returns the code; undefined if the number cannot be called.
  readonly ring: (phone: PhoneNumber) => Promise<string | undefined>
}

export async function setProfile(
  { slots }: Pick<Deps, 'slots'>,
  { id, name, language }: User,
  changes: { readonly name?: string; readonly language?: Language },
): Promise<void> {
  await changeUser(slots.globalDatabase, id, { name, language, ...changes })
}

export async function chooseAccount(
  { slots }: Pick<Deps, 'slots'>,
  visitor: Visitor,
  accountId: AccountId,
): Promise<void> {
  if (!visitor.memberships.some((one) => one.accountId === accountId)) throw new Denial('not-found')
  await writeChoice(slots.globalDatabase, visitor.session.digest, accountId)
}

export async function setOwnAccount(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  user: User,
  accountId: AccountId,
  changes: { readonly name?: string; readonly timeZone?: string },
): Promise<void> {
  if (changes.timeZone !== undefined && !isTimeZone(changes.timeZone)) throw new Denial('invalid', ['timeZone'])
  if (changes.name?.trim() === '') throw new Denial('invalid', ['name'])
  const database = slots.databaseOf(slotOfAccount(accountId))
  await inTransaction(database, async (session) => {
    await setAccountProfile(session, accountId, changes)
    await logAction(session, actor, { accountId, action: 'account changed', details: { ...changes, user: user.email } })
  })
}

// The account's own phone, where the operator demands it (code 1005): we call it with our own product, and the owner types the last
// four digits (confirm-own-phone.ts). Only a digest of the code waits for them.

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

function ownPhoneDigest(accountId: AccountId, code: string): Buffer {
  return digestToken(`own-phone ${accountId} ${code}`)
}

export const ownPhoneVerified = 'own phone verified'

// From now on the account's starts no longer get code 1005.
export async function confirmOwnPhone(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  accountId: AccountId,
  code: string,
): Promise<void> {
  const tries = digestToken(`own-phone try ${accountId}`)
  if ((await countTry(slots.globalDatabase, tries, codeWindowSeconds)) > codeTriesMax)
    throw new Denial('throttled', [], codeWindowSeconds)
  const link = await useLink(slots.globalDatabase, 'own-phone', ownPhoneDigest(accountId, code))
  if (!link) throw new Denial('wrong-code', ['code'])
  await clearFailures(slots.globalDatabase, tries)
  await inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    await setMustVerifyPhone(session, accountId, false)
    await insertStartStep(session, accountId, 'realCall')
    await logAction(session, actor, { accountId, action: ownPhoneVerified, details: {} })
  })
}
