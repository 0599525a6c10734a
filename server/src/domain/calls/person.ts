// What a verification keeps of the person it is about: the mask of the number, and what the customer wrote, which may hold a
// number, too. It is sealed as one text, because sealing three costs an accept three times as much.

import { type KeyRing, seal, unseal } from '../crypto/sealing.ts'
import type { ServiceId } from '../slot.ts'

export type Person = {
  readonly phoneMask: string
  readonly client: string
  // The customer's own id of the request, when there is one.
  readonly unique: string | undefined
}

// Records are sealed anew by this purpose when their ring gets another key.
export const personPurpose = 'person'

export function sealPerson(ring: KeyRing, serviceId: ServiceId, person: Person, nonce: Uint8Array): Buffer {
  const { phoneMask, client, unique } = person
  return seal(ring, personPurpose, serviceId, JSON.stringify([phoneMask, client, unique]), nonce)
}

export function unsealPerson(ring: KeyRing, serviceId: ServiceId, sealed: Buffer): Person {
  const text = unseal(ring, personPurpose, serviceId, sealed)
  const [phoneMask, client, unique] = JSON.parse(text) as [string, string, string | null]
  return { phoneMask, client, unique: unique ?? undefined }
}
