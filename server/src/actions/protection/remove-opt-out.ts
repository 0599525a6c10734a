import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteOptOut } from '../../db/protection/opt-out.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { lastingDigest, type PhoneNumber, slotOfDigest } from '../../domain/numbers/phone-number.ts'

type Deps = { readonly slots: SlotMap; readonly slotKeys: KeyRing }

// The subscriber may be called again. False if the number was not opted out.
export async function removeOptOut(deps: Deps, actor: Actor, phone: PhoneNumber, reason = ''): Promise<boolean> {
  const digest = lastingDigest(deps.slotKeys, phone)
  return inTransaction(deps.slots.databaseOf(slotOfDigest(digest)), async (session) => {
    const isChanged = await deleteOptOut(session, digest)
    // Only the digest: an opted-out number must not appear in a log.
    const details = { digest: digest.toString('hex').slice(0, 16), ...(reason === '' ? {} : { reason }) }
    if (isChanged) await logAction(session, actor, { accountId: null, action: 'opt-out removed', details })
    return isChanged
  })
}
