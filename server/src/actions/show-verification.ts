import { readVerification, type Verification } from '../db/call.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { slotOfVerification, type VerificationId } from '../domain/slot.ts'
import { verificationStory } from '../domain/verification-story.ts'
import { OperatorMistake } from '../errors.ts'

type Shown = { readonly verification: Verification; readonly story: string }

export async function showVerification({ slots }: { readonly slots: SlotMap }, id: VerificationId): Promise<Shown> {
  const verification = await readVerification(slots.databaseOf(slotOfVerification(id)), id)
  if (!verification) throw new OperatorMistake(`there is no verification ${id}`)
  return { verification, story: verificationStory(verification) }
}
