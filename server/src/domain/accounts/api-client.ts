// An API client: a service, with its settings and those of its account.

import { timingSafeEqual } from 'node:crypto'
import type { serviceObstacles, serviceStates } from '@ringproof/contract/lists/accounts.ts'
import type { AccountId, ServiceId } from '../core/slot.ts'
import type { MicroAmount } from '../money/money.ts'
import { digestApiKey, type KeyScope } from './api-key.ts'
import type { PromptLanguage, ServiceMode } from './modes.ts'

export type ServiceState = (typeof serviceStates)[number]

export type ApiClient = {
  readonly serviceId: ServiceId
  readonly accountId: AccountId
  readonly state: ServiceState
  // Calls only test numbers and the virtual phones of its account, and is free.
  readonly isTest: boolean
  readonly accountBlocked: boolean
  readonly mustVerifyPhone: boolean
  readonly addresses: readonly string[]
  readonly statusStyle: 'class' | 'ok'
  readonly idAlias: string
  // Whether initRepeat works.
  readonly repeats: boolean
  readonly plainHttp: boolean
  readonly requestsPerSecond: number | null
  readonly tariff: string
  readonly geography: readonly string[]
  readonly modes: readonly ServiceMode[]
  readonly testNumbers: boolean
  readonly language: PromptLanguage
  readonly calls10Minutes: number
  readonly callsDay: number
  readonly inboundSeconds: number
  readonly hourMax: number | null
  readonly dayMax: number | null
  readonly spendMax: MicroAmount | null
  readonly prefixHourMax: number | null
  // '' if the service may call at any hour.
  readonly quietHours: string
  readonly timeZone: string
  // Providers whose flash calls are placed in another mode; see provider-modes.ts.
  readonly providerModes: readonly string[]
}

// Why the service may not spend money now. Addresses and protocols are checked where the request comes in.
export function spendingObstacle({
  accountBlocked,
  state,
  mustVerifyPhone,
}: ApiClient): (typeof serviceObstacles)[number] | undefined {
  if (accountBlocked) return 'accountBlocked'
  if (state !== 'on') return state === 'off' ? 'serviceOff' : 'serviceArchived'
  return mustVerifyPhone ? 'phoneNotVerified' : undefined
}

// A key in the cache. A key with an expiry, or replaced by a rotation, expires without a notification.
export type KnownKey = {
  readonly serviceId: ServiceId
  readonly digest: Buffer
  readonly scopes: readonly KeyScope[]
  readonly validMs: number | null
}

// What is known about a service ID. If the service or its keys do not exist, there is a dummy key, so that refusing takes as
// long as for a service with a key.
export type KnownApiClient = { readonly apiClient: ApiClient | undefined; readonly keys: readonly KnownKey[] }

// A client that presented a valid key.
export type Authenticated = { readonly apiClient: ApiClient; readonly key: KnownKey }

// A client that did not; the service that it named, if there is one.
export type WrongKey = { readonly apiClient: ApiClient | undefined; readonly key: undefined }

export function nobodysKey(serviceId: ServiceId): KnownKey {
  return { serviceId, digest: nobodysDigest, scopes: [], validMs: 0 }
}

const nobodysDigest = digestApiKey('')

// The client whose valid key has this digest. Every digest is compared, each in constant time: the duration does not depend
// on how close a guess was.
export function matchKey(presented: Buffer, known: KnownApiClient, ageMs: number): Authenticated | undefined {
  let match: KnownKey | undefined
  for (const key of known.keys) {
    if (timingSafeEqual(presented, key.digest) && (key.validMs === null || ageMs < key.validMs)) match = key
  }
  return match && known.apiClient && { apiClient: known.apiClient, key: match }
}

// A service may choose a second name for the verification ID. It appears among the fields of requests and responses, so it
// must not be one of theirs. The names are listed here because loading the contract's schemas takes 250 ms, which would
// slow down every CLI command; tests/unit/id-alias.test.ts compares them with the contract.
const takenNames = new Set(
  `action balance call_status callback_url city client code company confirmation_number cost country country_code
   country_iso created creation_time database docs email error exists first_vendor_id free_repeated id init_time ip
   is_repeated key last_request logs mix mnc mnp mobile name number operator owner phone phone_format phone_info provider
   providers region repeat_times repeatable repeated_vendor_ids rub_balance service_id service_status source status tariff
   tariff_name telegram_id two_auth uid unique unique_request_id updated use_direction user_agent vendor_id version
   voice`.split(/\s+/),
)

export function isIdAlias(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,31}$/.test(text) && !takenNames.has(text)
}
