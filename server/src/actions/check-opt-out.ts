import { isOptedOut } from '../db/opt-out.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { optOutDigest } from '../domain/number-prefix.ts'
import { type PhoneNumber, slotOfNumber } from '../domain/phone-number.ts'
import type { KeyRing } from '../domain/sealing.ts'

type Deps = { readonly slots: SlotMap; readonly slotKeys: KeyRing }

export async function checkOptOut({ slots, slotKeys }: Deps, phone: PhoneNumber): Promise<boolean> {
  return isOptedOut(slots.databaseOf(slotOfNumber(slotKeys, phone)), optOutDigest(slotKeys, phone))
}
