import { insertStartStep } from '../../db/accounts/start-step.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'

// The person has copied the key: the second step of the checklist.
export async function noteKeyStored({ slots }: { readonly slots: SlotMap }, accountId: AccountId): Promise<void> {
  await insertStartStep(slots.databaseOf(slotOfAccount(accountId)), accountId, 'key')
}
