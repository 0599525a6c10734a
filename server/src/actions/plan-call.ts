// What can be found out about a request to call before the database is asked: where the number is, whether it may be called,
// with which code, over which trunks and for how much; and the order that a worker carries out.

import type { CallBatches } from '../db/call-batches.ts'
import type { RoutingTable } from '../db/routing-table.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { CallRequest } from '../db/verification.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import { type CallOrder, type CallRoute, testTrunk } from '../domain/calls/call-order.ts'
import { sealPerson } from '../domain/calls/person.ts'
import type { StartCommand } from '../domain/calls/start-command.ts'
import { uniqueDigests } from '../domain/crypto/keyed-digest.ts'
import { randomFraction } from '../domain/crypto/random-fraction.ts'
import { type KeyRing, nonceBytes } from '../domain/crypto/sealing.ts'
import { zeroMoney } from '../domain/money/money.ts'
import { priceOf } from '../domain/money/tariff.ts'
import { phoneInfoOf } from '../domain/numbers/number-info.ts'
import { describeNumber, isTestNumber } from '../domain/numbers/number-plan.ts'
import { numberPrefix } from '../domain/numbers/number-prefix.ts'
import type { NumberingIndex } from '../domain/numbers/numbering-index.ts'
import {
  lastingDigest,
  mask,
  ofActiveKey,
  slotOfDigest,
  subscriberHashes,
  tenantHashes,
} from '../domain/numbers/phone-number.ts'
import { type Slot, slotOfAccount, type VerificationId } from '../domain/slot.ts'
import { everyCode } from '../domain/trunks/caller-pool.ts'
import { pickCode, routesFor } from '../domain/trunks/routing.ts'
import { Refusal } from '../errors.ts'
import { refuseFraud } from './refuse-fraud.ts'

export type StartDeps = {
  readonly slots: SlotMap
  readonly batches: CallBatches
  readonly routing: () => RoutingTable
  readonly numbers: () => NumberingIndex
  readonly keys: {
    readonly phoneTenant: KeyRing
    readonly phoneSubscriber: KeyRing
    readonly phoneSlot: KeyRing
    readonly sealRecords: KeyRing
  }
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly timeScale: number
  // Calls an hour to one prefix over all services.
  readonly prefixHourMax: number | undefined
  // Resolves when the call is safe in the stream of its trunk.
  readonly dispatchCall: (order: CallOrder) => Promise<void>
  readonly isFull: (trunk: string) => boolean
}

// What was found out about a request before the database is asked.
export type Plan = {
  readonly isTest: boolean
  readonly country: string
  readonly code: string
  readonly routes: readonly [CallRoute, ...CallRoute[]]
  readonly request: CallRequest
  // Under every key, the active one first.
  readonly numberHashes: readonly Buffer[]
  readonly numberSlot: Slot
  readonly optOutDigest: Buffer
}

type TriedRoutes =
  | { readonly routes: Plan['routes']; readonly refusal?: undefined }
  | { readonly routes?: undefined; readonly refusal: 'unavailable' | 'noCallerNumber' }

export function planCall(deps: StartDeps, apiClient: ApiClient, command: StartCommand): Plan {
  const { phone, mode } = command
  const table = deps.routing()
  const isTest = isTestNumber(phone)
  const index = deps.numbers()
  const { country = '', isCallable } = describeNumber(phone, index)
  if (isTest ? !apiClient.testNumbers : !isCallable) throw new Refusal('invalidPhone')
  if (!isTest && !apiClient.geography.includes(country)) throw new Refusal('countryNotAllowed', { country })
  if (!modeCountries[mode].includes(country) && !isTest && mode !== 'flash')
    throw new Refusal('modeNotAvailable', { mode })
  const prefix = isTest ? undefined : numberPrefix(deps.keys.phoneSlot, phone)
  if (prefix !== undefined) refuseFraud(table, apiClient, { phone, prefix, country, index })
  const code = command.code ?? chooseCode(deps, table, isTest || mode === 'voice' ? undefined : country)
  const routes = isTest ? testRoutes : chooseRoutes(deps, table, { country, mode, code })
  const price = isTest
    ? zeroMoney
    : priceOf(table.pricesOf(apiClient.tariff), { method: 'initCall', mode, country }, table.readAt)
  if (price === undefined || deps.isFull(routes[0].trunk)) throw new Refusal('unavailable', {}, 5)

  const { numberSlot, numberHashes, optOutDigest: optOut, isLocalShard } = numberPlaceOf(deps, apiClient, command)
  const person = { phoneMask: mask(phone), client: command.client, unique: command.unique }
  const request: CallRequest = {
    ...apiClient,
    keyDigests: keyDigestsOf(deps, apiClient, command),
    isTest,
    mode,
    phoneHash: ofActiveKey(tenantHashes(deps.keys.phoneTenant, apiClient.accountId, phone)),
    personSealed: sealPerson(deps.keys.sealRecords, apiClient.serviceId, person, deps.randomBytes(nonceBytes)),
    numberHashes: isLocalShard ? numberHashes : undefined,
    country,
    phoneInfo: phoneInfoOf(phone, country, index),
    code,
    price,
    trunk: routes[0].trunk,
    callerNumber: routes[0].callerNumber,
    optOutDigest: isLocalShard ? optOut : undefined,
    prefix,
    prefixMax: isTest ? undefined : lowest(apiClient.prefixHourMax, deps.prefixHourMax),
  }
  return { isTest, country, code, routes, request, numberHashes, numberSlot, optOutDigest: optOut }
}

export function orderOf(
  apiClient: ApiClient,
  command: StartCommand,
  plan: Pick<Plan, 'routes' | 'code' | 'isTest'>,
  id: VerificationId,
  numberLeaseId: number,
): CallOrder {
  return {
    id,
    attempt: 1,
    routes: plan.routes,
    mode: command.mode,
    code: plan.code,
    language: apiClient.language,
    isTest: plan.isTest,
    number: command.phone,
    numberLeaseId,
  }
}

const modeCountries = { flash: [], voice: ['RU', 'KZ'], mix: ['RU'] } as Record<StartCommand['mode'], string[]>
export const testRoutes = [
  { trunk: testTrunk, callerNumber: undefined, ringSeconds: undefined, countsEarlyMedia: false },
] as const

// Of two caps, either of which may be absent.
function lowest(a: number | null, b: number | undefined): number | undefined {
  return a === null ? b : Math.min(a, b ?? a)
}

// Uniform over what can be shown; where nothing needs to be shown, over all codes.
function chooseCode(deps: StartDeps, table: RoutingTable, country: string | undefined): string {
  const codes = country === undefined ? everyCode : table.codesFor(country)
  const code = pickCode(codes, randomFraction(deps.randomBytes))
  if (code === undefined) throw new Refusal('unavailable', {}, 5)
  return code
}

function chooseRoutes(
  deps: StartDeps,
  table: RoutingTable,
  wanted: Parameters<typeof routesFor>[2],
): readonly [CallRoute, ...CallRoute[]] {
  const { routes, refusal } = tryRoutes(deps, table, wanted)
  if (!routes) throw refusal === 'unavailable' ? new Refusal(refusal, {}, 5) : new Refusal(refusal)
  return routes
}

export function tryRoutes(deps: StartDeps, table: RoutingTable, wanted: Parameters<typeof routesFor>[2]): TriedRoutes {
  const { routes, refusal } = routesFor(table.trunks, table.ranges, wanted, randomFraction(deps.randomBytes))
  if (!routes) return { refusal }
  const [first, ...rest] = routes.map(({ trunk, callerNumber }) => ({
    trunk: trunk.name,
    callerNumber,
    ringSeconds: trunk.ringSeconds ?? undefined,
    countsEarlyMedia: trunk.countsEarlyMedia,
  }))
  return first ? { routes: [first, ...rest] } : { refusal: 'unavailable' }
}

// Where the limits of the number are kept, and whether the account is there, too.
export function numberPlaceOf({ slots, keys }: StartDeps, { accountId }: ApiClient, { phone }: StartCommand) {
  const digest = lastingDigest(keys.phoneSlot, phone)
  const numberSlot = slotOfDigest(digest)
  const numberHashes = subscriberHashes(keys.phoneSubscriber, phone)
  const isLocalShard = slots.databaseOf(numberSlot) === slots.databaseOf(slotOfAccount(accountId))
  return { numberSlot, numberHashes, optOutDigest: digest, isLocalShard }
}

export function keyDigestsOf(
  { keys }: StartDeps,
  { serviceId }: ApiClient,
  { unique }: StartCommand,
): readonly Buffer[] | undefined {
  return unique === undefined ? undefined : uniqueDigests(keys.phoneTenant, serviceId, unique)
}
