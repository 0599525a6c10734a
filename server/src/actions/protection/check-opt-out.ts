import { type Actor, logAction } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readOptOut } from '../../db/protection/opt-out.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { lastingDigest, type PhoneNumber, slotOfDigest } from '../../domain/numbers/phone-number.ts'

type Deps = { readonly slots: SlotMap; readonly slotKeys: KeyRing }

// Since when the number is opted out; undefined if it is not. Who searched is written to the audit log, the number is not.
export async function checkOptOut(
  { slots, slotKeys }: Deps,
  actor: Actor,
  phone: PhoneNumber,
): Promise<Date | undefined> {
  const digest = lastingDigest(slotKeys, phone)
  const details = { digest: digest.toString('hex').slice(0, 16) }
  await logAction(slots.globalDatabase, actor, { accountId: null, action: 'opt-out searched by number', details })
  return readOptOut(slots.databaseOf(slotOfDigest(digest)), digest)
}
