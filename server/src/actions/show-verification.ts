import type { SlotMap } from '../db/slot-map.ts'
import { readVerification, type Verification } from '../db/verification.ts'
import { type Explanation, explain } from '../domain/calls/call-explanation.ts'
import { describeVerification } from '../domain/calls/describe-verification.ts'
import { unsealPerson } from '../domain/calls/person.ts'
import type { KeyRing } from '../domain/crypto/sealing.ts'
import { slotOfVerification, type VerificationId } from '../domain/slot.ts'
import { UsageError } from '../errors.ts'

type Shown = {
  readonly verification: Verification
  readonly phoneMask: string
  readonly description: string
  // Only for a call that has ended.
  readonly explanation: Explanation | undefined
}

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing }

export async function showVerification({ slots, recordKeys }: Deps, id: VerificationId): Promise<Shown> {
  const verification = await readVerification(slots.databaseOf(slotOfVerification(id)), id)
  if (!verification)
    throw new UsageError(`Verification ${id} does not exist, or is older than RINGPROOF_VERIFICATION_DAYS.`)
  const { reason, sipStatus, serviceId, personSealed } = verification
  const { phoneMask } = unsealPerson(recordKeys, serviceId, personSealed)
  return {
    verification,
    phoneMask,
    description: describeVerification({ ...verification, phoneMask }),
    explanation: reason === null ? undefined : explain(reason, sipStatus),
  }
}
