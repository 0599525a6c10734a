import { setMustVerifyPhone } from '../../db/accounts/account.ts'
import { insertStartStep } from '../../db/accounts/start-step.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { useLink } from '../../db/people/one-time-link.ts'
import { clearFailures, countTry } from '../../db/people/sign-in-failure.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { codeTriesMax, codeWindowSeconds } from '../../domain/people/sign-in-throttle.ts'
import { Denial } from '../../process/errors.ts'
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
