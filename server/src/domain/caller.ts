// Who is calling the API: a service that showed a good key, with what is set on it and on its account.

import { timingSafeEqual } from 'node:crypto'
import { digestApiKey } from './api-key.ts'
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

// A good key, and how long it stays good; an overlap's old key ends by itself, without anybody telling.
export type KeyDigest = { readonly digest: Buffer; readonly validMs: number | null }

export type KnownCaller = { readonly caller: Caller; readonly keys: readonly KeyDigest[] }

// Every digest is compared, and each in constant time: how long it takes tells nothing about how near a guess was.
export function keyFits(key: string, keys: readonly KeyDigest[], ageMs: number): boolean {
  const shown = digestApiKey(key)
  return keys.reduce((fits, { digest, validMs }) => {
    const same = timingSafeEqual(shown, digest)
    return fits || (same && (validMs === null || ageMs < validMs))
  }, false)
}
