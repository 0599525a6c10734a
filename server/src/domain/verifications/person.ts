// The personal data of a verification: the masked number and the customer's texts, which may contain a number too. Sealed as
// one text, because sealing three would triple the cost of an accept.

import type { ServiceId } from '../core/slot.ts'
import { type KeyRing, seal, unseal } from '../crypto/sealing.ts'

export type Person = {
  readonly phoneMask: string
  readonly client: string
  // The customer's ID of the request, if any.
  readonly unique: string | undefined
  // Of a verification of /v2.
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

type SealedTexts = [string, string, string | null, Readonly<Record<string, string>>?]

// What is left of a person who was erased.
export const erasedPerson: Person = { phoneMask: '***', client: '', unique: undefined }

export function sealPerson(ring: KeyRing, serviceId: ServiceId, person: Person, nonce: Uint8Array): Buffer {
  const { phoneMask, client, unique, metadata } = person
  const texts = metadata ? [phoneMask, client, unique, metadata] : [phoneMask, client, unique]
  return seal(ring, 'person', serviceId, JSON.stringify(texts), nonce)
}

export function unsealPerson(ring: KeyRing, serviceId: ServiceId, sealed: Buffer): Person {
  const text = unseal(ring, 'person', serviceId, sealed)
  const [phoneMask, client, unique, metadata] = JSON.parse(text) as SealedTexts
  return { phoneMask, client, unique: unique ?? undefined, ...(metadata ? { metadata } : {}) }
}
