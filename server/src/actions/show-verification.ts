import { readVerification, type Verification } from '../db/call.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { type Explanation, explain } from '../domain/call-explanation.ts'
import { slotOfVerification, type VerificationId } from '../domain/slot.ts'
import { verificationStory } from '../domain/verification-story.ts'
import { OperatorMistake } from '../errors.ts'

type Shown = {
  readonly verification: Verification
  readonly story: string
  // Of a call that has ended.
  readonly explanation: Explanation | undefined
}

export async function showVerification({ slots }: { readonly slots: SlotMap }, id: VerificationId): Promise<Shown> {
  const verification = await readVerification(slots.databaseOf(slotOfVerification(id)), id)
  if (!verification) throw new OperatorMistake(`there is no verification ${id}`)
  const { reason, sipStatus } = verification
  return {
    verification,
    story: verificationStory(verification),
    explanation: reason === null ? undefined : explain(reason, sipStatus),
  }
}
