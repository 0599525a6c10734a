import type { SlotMap } from '../../db/core/slot-map.ts'
import { findRestoreOver, type Restore } from '../../db/installation/restore.ts'
import { readVerification, type Verification } from '../../db/verifications/verification.ts'
import { slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type Explanation, explain } from '../../domain/verifications/call-explanation.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { UsageError } from '../../process/errors.ts'

type Shown = {
  readonly verification: Verification
  readonly phoneMask: string
  // Only for a call that has ended.
  readonly explanation: Explanation | undefined
}

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing }

export async function showVerification({ slots, recordKeys }: Deps, id: VerificationId): Promise<Shown> {
  const database = slots.databaseOf(slotOfVerification(id))
  const verification = await readVerification(database, id)
  if (!verification) throw new UsageError(whyMissing(id, await findRestoreOver(database, id)))
  const { reason, sipStatus, serviceId, personSealed } = verification
  const { phoneMask } = unsealPerson(recordKeys, serviceId, personSealed)
  return {
    verification,
    phoneMask,
    explanation: reason === null ? undefined : explain(reason, sipStatus),
  }
}

function whyMissing(id: VerificationId, restore: Restore | undefined): string {
  if (!restore) return `Verification ${id} does not exist, or is older than RINGPROOF_VERIFICATION_DAYS.`
  const [from, to] = [restore.restoredTo, restore.finishedAt].map((time) => time.toISOString().slice(0, 19))
  return `Verification ${id} is not known: a restore from a backup lost everything between ${from} and ${to} UTC.`
}
