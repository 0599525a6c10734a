import { setMustVerifyPhone } from '../db/account.ts'
import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import { useLink } from '../db/one-time-link.ts'
import { clearFailures, countTry } from '../db/sign-in-failure.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { insertStartStep } from '../db/start-step.ts'
import { type AccountId, slotOfAccount } from '../domain/core/slot.ts'
import { digestToken } from '../domain/people/one-time-token.ts'
import { codeTriesMax, codeWindowSeconds } from '../domain/people/sign-in-throttle.ts'
import { Denial } from '../errors.ts'
import { ownPhoneDigest } from './call-own-phone.ts'

export const ownPhoneVerified = 'own phone verified'

// From now on the account's starts no longer get code 1005.
export async function confirmOwnPhone(
  { slots }: { readonly slots: SlotMap },
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
