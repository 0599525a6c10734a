// Turns what a person typed into a condition for a list: a phone number, the customer's ID of a request (unique), or what the
// customer calls the person (client). What comes back names none of them: it may stand in an address.

import { listServices } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { findIdempotencyKeys } from '../../db/verifications/idempotency-key.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { clientDigests, uniqueDigests } from '../../domain/crypto/keyed-digest.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { readFreeText } from '../../domain/numbers/free-text-number.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'

type Deps = { readonly slots: SlotMap; readonly keys: { readonly phoneTenant: KeyRing } }

export type Condition = {
  readonly number: string | null
  readonly client: string | null
  readonly ids: string | null
}

const nothing: Condition = { number: null, client: null, ids: null }
const idsMax = 20

export async function findOwnVerifications(
  { slots, keys: { phoneTenant } }: Deps,
  accountId: AccountId,
  text: string,
): Promise<Condition> {
  const typed = text.trim()
  // An ID has more digits than a number that anybody is called at.
  if (/^\d{13,16}$/.test(typed)) return { ...nothing, ids: typed }
  const digits = /^[+\d\s().-]+$/.test(typed) ? readFreeText(typed) : undefined
  if (digits !== undefined) {
    return { ...nothing, number: tokenOf(tenantHashes(phoneTenant, accountId, digits as PhoneNumber)) }
  }
  const database = slots.databaseOf(slotOfAccount(accountId))
  const services = await listServices(database, accountId)
  const keys = services.flatMap(({ id }) =>
    uniqueDigests(phoneTenant, id, typed).map((digest) => ({ serviceId: id, digest })),
  )
  const ids = await findIdempotencyKeys(database, keys)
  if (ids.length > 0) return { ...nothing, ids: ids.slice(0, idsMax).join(',') }
  return { ...nothing, client: tokenOf(clientDigests(phoneTenant, accountId, typed)) }
}

// A keyed digest is as opaque as a random name, and needs no place to be kept.
function tokenOf(digests: readonly Buffer[]): string {
  return digests.map((digest) => digest.toString('base64url')).join('.')
}

export function digestsOf(token: string): readonly Buffer[] {
  return token.split('.').map((digest) => Buffer.from(digest, 'base64url'))
}
