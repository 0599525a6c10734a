// The key space has 64 fixed slots; a database holds one or more of them. Every ID contains its slot, so that any process
// finds the database of an account, service or verification from the ID alone.
//
//   account and service IDs   counter (25 bits) · slot (6)              31 bits, a positive `integer` in PostgreSQL
//   verification IDs          seconds since 2026-01-01 (30) · slot (6) · sequence (17)     53 bits, exact in JSON

export type Slot = number & { readonly unit: 'slot' }
export type AccountId = number & { readonly unit: 'account' }
export type ServiceId = number & { readonly unit: 'service' }
export type VerificationId = number & { readonly unit: 'verification' }

// 2026-01-01, where the seconds of verification IDs begin. SQL has it as id_epoch().
export const idEpochSeconds = 1_767_225_600

export const slotCount = 64
export const slotsAll: readonly Slot[] = Array.from({ length: slotCount }, (_, slot) => slot as Slot)

// Data of no account (tariffs, trunks, the e-mail directory) is in this slot's database.
export const globalSlot = 0 as Slot

export function slotOfAccount(id: AccountId): Slot {
  return (id % slotCount) as Slot
}

export function slotOfService(id: ServiceId): Slot {
  return (id % slotCount) as Slot
}

export function slotOfVerification(id: VerificationId): Slot {
  return (Math.floor(id / 2 ** 17) % slotCount) as Slot
}

// When the verification was accepted, Unix time in seconds.
export function secondOfVerification(id: VerificationId): number {
  return Math.floor(id / 2 ** 23) + idEpochSeconds
}

// A range of verification and ledger IDs, the end not included: all that were given out in a range of time.
export type IdRange = { readonly firstId: number; readonly endId: number }

// The smallest ID of a second, Unix time. Seconds before the first ID count as the first.
export function firstIdOfSecond(second: number): number {
  return Math.max(0, second - idEpochSeconds) * 2 ** 23
}

// The nth account or service ID of a slot. Counters start at 1, so no ID is below 64.
export function numberedId(counter: number, slot: Slot): number {
  return counter * slotCount + slot
}

export function isAccountId(value: number): value is AccountId {
  return isNumberedId(value)
}

export function isServiceId(value: number): value is ServiceId {
  return isNumberedId(value)
}

function isNumberedId(value: number): boolean {
  return Number.isInteger(value) && value >= slotCount && value < 2 ** 31
}
