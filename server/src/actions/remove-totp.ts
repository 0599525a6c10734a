import { inTransaction } from '../db/database.ts'
import { replaceRecoveryCodes } from '../db/second-factor.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { changeUser, type User } from '../db/user.ts'

// With its recovery codes.
export async function removeTotp({ slots }: { readonly slots: SlotMap }, user: User): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    await changeUser(session, user.id, { totpSealed: null, totpSince: null })
    await replaceRecoveryCodes(session, user.id, [])
  })
}
