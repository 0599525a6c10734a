import { readVerification, type Verification } from '../db/call.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { type Explanation, explain } from '../domain/call-explanation.ts'
import { type KeyRing, unseal } from '../domain/sealing.ts'
import { slotOfVerification, type VerificationId } from '../domain/slot.ts'
import { verificationStory } from '../domain/verification-story.ts'
import { OperatorMistake } from '../errors.ts'

type Shown = {
  readonly verification: Verification
  readonly phoneMask: string
  readonly story: string
  // Of a call that has ended.
  readonly explanation: Explanation | undefined
}

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing }

export async function showVerification({ slots, recordKeys }: Deps, id: VerificationId): Promise<Shown> {
  const verification = await readVerification(slots.databaseOf(slotOfVerification(id)), id)
  if (!verification) throw new OperatorMistake(`there is no verification ${id}`)
  const { reason, sipStatus, serviceId, phoneMaskSealed } = verification
  const phoneMask = unseal(recordKeys, 'mask', serviceId, phoneMaskSealed)
  return {
    verification,
    phoneMask,
    story: verificationStory({ ...verification, phoneMask }),
    explanation: reason === null ? undefined : explain(reason, sipStatus),
  }
}
