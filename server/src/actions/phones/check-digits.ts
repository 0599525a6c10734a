import type { SlotMap } from '../../db/core/slot-map.ts'
import { readVerification } from '../../db/verifications/verification.ts'
import { type AccountId, slotOfAccount, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import { Denial } from '../../process/errors.ts'

// Compares typed digits with the code of one of the account's own test calls. Real codes are checked by the customer's program.
export async function checkDigits(
  { slots }: { readonly slots: SlotMap },
  accountId: AccountId,
  { verificationId, digits }: { readonly verificationId: VerificationId; readonly digits: string },
): Promise<boolean> {
  if (slotOfVerification(verificationId) !== slotOfAccount(accountId)) throw new Denial('not-found')
  const found = await readVerification(slots.databaseOf(slotOfAccount(accountId)), verificationId)
  if (!found || found.accountId !== accountId || !found.isTest) throw new Denial('not-found')
  return found.code === digits
}
