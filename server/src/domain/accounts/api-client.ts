// Who is calling the API: a service that showed a good key, with what is set on it and on its account.

import { timingSafeEqual } from 'node:crypto'
import type { PromptLanguage } from '../calls/prompt-language.ts'
import type { MicroRoubles } from '../money/money.ts'
import type { AccountId, ServiceId } from '../slot.ts'
import { digestApiKey, type KeyScope } from './api-key.ts'

export type ApiClient = {
  readonly serviceId: ServiceId
  readonly accountId: AccountId
  readonly state: 'on' | 'off' | 'archived'
  readonly accountBlocked: boolean
  readonly mustVerifyPhone: boolean
  readonly addresses: readonly string[]
  readonly statusStyle: 'class' | 'ok'
  readonly idAlias: string
  readonly plainHttp: boolean
  readonly requestsPerSecond: number | null
  readonly tariff: string
  readonly geography: readonly string[]
  readonly testNumbers: boolean
  readonly language: PromptLanguage
  readonly calls10Minutes: number
  readonly callsDay: number
  readonly inboundSeconds: number
  readonly hourMax: number | null
  readonly dayMax: number | null
  readonly spendMax: MicroRoubles | null
  readonly prefixHourMax: number | null
  // '' when the service calls at any hour.
  readonly quietHours: string
  readonly timeZone: string
}

// A key as the cache holds it. One with an expiry, or replaced by a rotation, ends by itself, without a notification.
export type KnownKey = {
  readonly serviceId: ServiceId
  readonly digest: Buffer
  readonly scopes: readonly KeyScope[]
  readonly validMs: number | null
}

// What is known about an ID. Without a service, or without a key of it, there is a key that nobody has: refusing then
// takes as long as for a service with a key.
export type KnownApiClient = { readonly apiClient: ApiClient | undefined; readonly keys: readonly KnownKey[] }

// A apiClient that showed a valid key.
export type Authenticated = { readonly apiClient: ApiClient; readonly key: KnownKey }

export function nobodysKey(serviceId: ServiceId): KnownKey {
  return { serviceId, digest: nobodysDigest, scopes: [], validMs: 0 }
}
const nobodysDigest = digestApiKey('')

// The apiClient whose key has this digest, while the key is valid. Every digest is compared, each in constant time: how
// long it takes does not depend on how close a guess was.
export function matchKey(shown: Buffer, known: KnownApiClient, ageMs: number): Authenticated | undefined {
  let match: KnownKey | undefined
  for (const key of known.keys) {
    if (timingSafeEqual(shown, key.digest) && (key.validMs === null || ageMs < key.validMs)) match = key
  }
  return match && known.apiClient && { apiClient: known.apiClient, key: match }
}
