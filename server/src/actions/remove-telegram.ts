import type { SlotMap } from '../db/slot-map.ts'
import { changeUser, type User } from '../db/user.ts'

export async function removeTelegram({ slots }: { readonly slots: SlotMap }, user: User): Promise<void> {
  await changeUser(slots.globalDatabase, user.id, { telegramId: null, telegramName: '', telegramSince: null })
}
