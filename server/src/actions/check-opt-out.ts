import { isOptedOut } from '../db/opt-out.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { KeyRing } from '../domain/crypto/sealing.ts'
import { lastingDigest, type PhoneNumber, slotOfDigest } from '../domain/numbers/phone-number.ts'

type Deps = { readonly slots: SlotMap; readonly slotKeys: KeyRing }

export async function checkOptOut({ slots, slotKeys }: Deps, phone: PhoneNumber): Promise<boolean> {
  const digest = lastingDigest(slotKeys, phone)
  return isOptedOut(slots.databaseOf(slotOfDigest(digest)), digest)
}
