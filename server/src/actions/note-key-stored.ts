import type { SlotMap } from '../db/slot-map.ts'
import { insertStartStep } from '../db/start-step.ts'
import { type AccountId, slotOfAccount } from '../domain/core/slot.ts'

// The person has copied the key: the second step of the checklist.
export async function noteKeyStored({ slots }: { readonly slots: SlotMap }, accountId: AccountId): Promise<void> {
  await insertStartStep(slots.databaseOf(slotOfAccount(accountId)), accountId, 'key')
}
