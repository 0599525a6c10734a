// Who is calling the API: a service that showed a good key, with what is set on it and on its account.

import { timingSafeEqual } from 'node:crypto'
import { digestApiKey, type KeyScope } from './api-key.ts'
import type { MicroRoubles } from './money.ts'
import type { AccountId, ServiceId } from './slot.ts'

export type Caller = {
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
  readonly language: 'ru' | 'en' | 'kk'
  readonly calls10Minutes: number
  readonly callsDay: number
  readonly waitSeconds: number
  readonly hourMax: number | null
  readonly dayMax: number | null
  readonly spendMax: MicroRoubles | null
}

// A key as the cache holds it. One with an expiry, or replaced by a rotation, ends by itself, without a notification.
export type KnownKey = {
  readonly serviceId: ServiceId
  readonly digest: Buffer
  readonly scopes: readonly KeyScope[]
  readonly validMs: number | null
}

export type KnownCaller = { readonly caller: Caller; readonly keys: readonly KnownKey[] }

// A caller that showed a valid key, and what that key may be used for.
export type Authenticated = { readonly caller: Caller; readonly scopes: readonly KeyScope[] }

// Stands in for the key of a service that has none, or does not exist: refusing takes as long as for one that has.
const nobodysKey = digestApiKey('')

// The key that was shown, while it is valid. Every digest is compared, each in constant time: how long it takes does
// not depend on how close a guess was.
export function matchKey(key: string, keys: readonly KnownKey[], ageMs: number): KnownKey | undefined {
  const shown = digestApiKey(key)
  if (keys.length === 0) timingSafeEqual(shown, nobodysKey)
  let match: KnownKey | undefined
  for (const known of keys) {
    const isSame = timingSafeEqual(shown, known.digest)
    if (isSame && (known.validMs === null || ageMs < known.validMs)) match = known
  }
  return match
}
