// Plans a call without touching anything: where the number is, whether it may be called, with which code, over which trunks
// and at what price. Everything it needs is in memory and comes in as arguments, randomness included.

import { Refusal, unavailable } from '../../process/errors.ts'
import type { ApiClient } from '../accounts/api-client.ts'
import { isModeOffered } from '../accounts/modes.ts'
import { insteadOfFlash } from '../accounts/provider-modes.ts'
import type { ServiceId, Slot } from '../core/slot.ts'
import { clientDigests, uniqueDigests } from '../crypto/keyed-digest.ts'
import type { KeyRing } from '../crypto/sealing.ts'
import { zeroMoney } from '../money/money.ts'
import type { PriceList } from '../money/tariff.ts'
import { phoneInfoOf } from '../numbers/number-info.ts'
import { numberPrefix } from '../numbers/number-prefix.ts'
import type { NumberingIndex } from '../numbers/numbering-index.ts'
import {
  mask,
  type NumberRef,
  type NumberRefKeys,
  numberRefOf,
  ofActiveKey,
  type PhoneNumber,
  tenantHashes,
} from '../numbers/phone-number.ts'
import { isScenarioNumber, testCallerNumber } from '../numbers/test-number.ts'
import { lowestCap } from '../protection/fraud-limits.ts'
import { type FraudRules, refuseFraud } from '../protection/refuse-fraud.ts'
import { everyCode } from '../trunks/caller-pool.ts'
import {
  missingRoute,
  type NoRoute,
  pickCode,
  type Route,
  routesFor,
  type TrunkRanges,
  type WantedCall,
} from '../trunks/routing.ts'
import { type ActiveSwitchOver, type Destination, inFront, switchedTo } from '../trunks/switch-over.ts'
import { type Trunk, testTrunk } from '../trunks/trunk.ts'
import type { CallRoute } from './call-order.ts'
import type { CallRequest, StartCommand } from './call-request.ts'
import { sealPerson } from './person.ts'
import { type ScreenedNumber, screenNumber } from './screen-number.ts'

export type PlanInput = {
  readonly apiClient: ApiClient
  readonly command: StartCommand
  readonly isOwnPhone: boolean
  readonly table: CallTable
  readonly index: NumberingIndex
  readonly keys: PlanKeys
  readonly random: PlanRandom
  // Calls an hour to one prefix over all services, by the configuration.
  readonly prefixHourMax: number | undefined
  // Whether the database of the account also keeps this slot.
  readonly isLocalShard: (slot: Slot) => boolean
  // Why the call queue of the trunk takes no more, if so.
  readonly queueFaultOf: QueueFaultOf
  readonly openOrdersOf: OpenOrdersOf
}

export type QueueFaultOf = (trunk: string) => 'queue_full' | 'nats_down' | undefined

// Orders of the trunk that wait or whose call is in progress.
export type OpenOrdersOf = (trunk: string) => number

export type PlanKeys = NumberRefKeys & { readonly phoneTenant: KeyRing; readonly sealRecords: KeyRing }

// The part of the routing table that a plan reads.
export type CallTable = TrunkRanges &
  PriceList &
  FraudRules & {
    // The codes that a call to the country can show.
    readonly codesFor: (country: string) => readonly string[]
    readonly chargesFailed: (tariff: string) => boolean
    readonly switchOvers: readonly ActiveSwitchOver[]
  }

// Fractions are in [0, 1).
type PlanRandom = {
  readonly code: number
  readonly route: number
  // Whether the call follows a switch-over or measures the trunk that it has left.
  readonly probe: number
  readonly nonce: Uint8Array
}

export type CallPlan = {
  readonly isTest: boolean
  readonly code: string
  readonly routes: CallRoutes
  readonly request: CallRequest
  readonly number: NumberRef
  readonly destination: Destination
}

type CallRoutes = readonly [CallRoute, ...CallRoute[]]

export function planCall(input: PlanInput): CallPlan {
  const { apiClient, command, isOwnPhone, table, index, keys, random } = input
  const { phone } = command
  const screened = screenNumber({
    apiClient,
    phone,
    isOwnPhone,
    index,
    prices: table,
    wanted: { method: 'initCall', mode: command.mode },
  })
  const { isTest, country } = screened
  const phoneInfo = phoneInfoOf(phone, country, index)
  const { mode, price } = placedAs(input, screened, phoneInfo?.mnp)
  if (!apiClient.modes.includes(command.mode)) throw new Refusal('modeSwitchedOff', { mode: command.mode })
  if (!isTest && !isModeOffered(mode, country)) throw new Refusal('modeNotAvailable', { mode })
  const prefix = isTest ? undefined : numberPrefix(keys.phoneSlot, phone)
  if (prefix !== undefined) refuseFraud({ rules: table, apiClient, phone, prefix, country, index })
  const code = command.code ?? chooseCode(table, isTest || mode === 'voice' ? undefined : country, random.code)
  const wanted = { isTest, phone, country, mode, code }
  const { routes: inOrder, refusal } = routeCall(table, wanted, random.route, (found) => isEnough(input, found))
  if (!inOrder) throw refusal === 'noCallerNumber' ? new Refusal(refusal) : unavailable(refusal)
  const destination = { country, provider: phoneInfo?.mnp ?? '' }
  const routes = firstRoutes(overflow(input, switchOver(input, inOrder, destination)))
  if (price === undefined) throw unavailable('no_price')
  const queueFault = input.queueFaultOf(routes[0].trunk)
  if (queueFault) throw unavailable(queueFault)

  const number = numberRefOf(keys, phone)
  const isLocal = input.isLocalShard(number.slot)
  const { client, unique, metadata } = command
  const person = { phoneMask: mask(phone), client, unique, metadata }
  const request: CallRequest = {
    accountId: apiClient.accountId,
    serviceId: apiClient.serviceId,
    keyDigests: keyDigestsOf(keys, apiClient.serviceId, command.unique),
    isTest,
    mode,
    phoneHash: ofActiveKey(tenantHashes(keys.phoneTenant, apiClient.accountId, phone)),
    personSealed: sealPerson(keys.sealRecords, apiClient.serviceId, person, random.nonce),
    clientDigest: clientDigests(keys.phoneTenant, apiClient.accountId, command.client)[0],
    numberHashes: isLocal ? number.hashes : undefined,
    country,
    phoneInfo,
    code,
    price: command.repeatOf === undefined ? price : zeroMoney,
    trunk: routes[0].trunk,
    callerNumber: routes[0].callerNumber,
    calls10Minutes: apiClient.calls10Minutes,
    callsDay: apiClient.callsDay,
    hourMax: apiClient.hourMax,
    dayMax: apiClient.dayMax,
    spendMax: apiClient.spendMax,
    optOutDigest: isLocal ? number.optOutDigest : undefined,
    prefix,
    chargesFailed: table.chargesFailed(apiClient.tariff),
    ...(command.repeatOf === undefined ? {} : { firstId: command.repeatOf }),
    prefixMax:
      prefix === undefined
        ? undefined
        : lowestCap(apiClient.prefixHourMax, table.prefixCap(prefix, input.prefixHourMax)),
  }
  return { isTest, code, routes, request, number, destination }
}

// A repeat is placed as its first call was.
function placedAs(
  { apiClient, command, table }: PlanInput,
  { isTest, country, price }: ScreenedNumber,
  provider: string | undefined,
): Pick<ScreenedNumber, 'price'> & Pick<StartCommand, 'mode'> {
  const { mode, repeatOf } = command
  const isAsRequested = isTest || mode !== 'flash' || repeatOf !== undefined
  const { providerModes, tariff } = apiClient
  const instead = isAsRequested
    ? undefined
    : insteadOfFlash(providerModes, provider, { prices: table, tariff, country })
  return instead && apiClient.modes.includes(instead.mode) ? instead : { mode, price }
}

type Routed =
  | { readonly routes: CallRoutes; readonly refusal?: undefined }
  | { readonly routes?: undefined; readonly refusal: NoRoute }

// The trunks to try, in order, each with the number that it shows. A test call goes to no carrier.
export function routeCall(
  table: TrunkRanges,
  { isTest, phone, ...wanted }: WantedCall & { readonly isTest: boolean; readonly phone: PhoneNumber },
  random: number,
  isEnoughOf?: (routes: readonly Route[]) => boolean,
): Routed {
  if (isTest) return { routes: [testRoute(table.trunks, phone, wanted)] }
  const { routes, refusal } = routesFor(table.trunks, table.ranges, wanted, random, isEnoughOf)
  if (!routes) return { refusal }
  const [first, ...rest] = routes.map(({ trunk, callerNumber }) => ({
    trunk: trunk.name,
    callerNumber,
    ringSeconds: trunk.ringSeconds ?? undefined,
    countsEarlyMedia: trunk.countsEarlyMedia,
  }))
  return first ? { routes: [first, ...rest] } : { refusal: 'no_trunk' }
}

// A trunk whose queue is full takes over nothing.
function switchOver({ table, random, queueFaultOf }: PlanInput, routes: CallRoutes, to: Destination): CallRoutes {
  const switched = switchedTo(table.switchOvers, to, random.probe)
  if (switched === undefined) return routes
  const [first, ...rest] = inFront(routes, switched)
  return first && queueFaultOf(first.trunk) === undefined ? [first, ...rest] : routes
}

// A trunk without a free channel passes the call on to the first one that has one. If none has, the call waits for its own.
function overflow({ table, openOrdersOf }: PlanInput, routes: CallRoutes): CallRoutes {
  const hasChannel = ({ trunk }: CallRoute) => {
    const { channels = 0 } = table.trunks.find(({ name }) => name === trunk) ?? {}
    return openOrdersOf(trunk) < channels
  }
  if (routes.length === 1 || hasChannel(routes[0])) return routes
  const free = routes.find(hasChannel)
  return free ? [free, ...routes.filter((route) => route !== free)] : routes
}

const routesMax = 8

// A hundred trunks are not searched for a number each while one of the first eight has a free channel. A switch-over may lead to
// any of them.
function isEnough({ table, openOrdersOf }: PlanInput, found: readonly Route[]): boolean {
  if (found.length < routesMax || table.switchOvers.length > 0) return false
  return found.some(({ trunk }) => openOrdersOf(trunk.name) < trunk.channels)
}

// No call lives long enough to try more, and its order names them all.
export function firstRoutes([first, ...others]: CallRoutes): CallRoutes {
  return [first, ...others.slice(0, routesMax - 1)]
}

// The digests of an idempotency key. Undefined when the request has none.
export function keyDigestsOf(
  keys: Pick<PlanKeys, 'phoneTenant'>,
  serviceId: ServiceId,
  unique: string | undefined,
): readonly Buffer[] | undefined {
  return unique === undefined ? undefined : uniqueDigests(keys.phoneTenant, serviceId, unique)
}

// A virtual phone is reached over the test trunk, if there is one. Without it, and for test numbers, the call is simulated.
function testRoute(trunks: readonly Trunk[], phone: PhoneNumber, { mode, code }: WantedCall): CallRoute {
  const line = isScenarioNumber(phone) ? trunks.find(({ isTest, isOn }) => isTest && isOn) : undefined
  return {
    trunk: line?.name ?? testTrunk,
    callerNumber: testCallerNumber(mode === 'voice' ? '0' : code),
    ringSeconds: line?.ringSeconds ?? undefined,
    countsEarlyMedia: false,
  }
}

// Uniform over the codes that can be shown in the country. Without a country no number shows the code: uniform over all.
function chooseCode(table: CallTable, country: string | undefined, random: number): string {
  const code = pickCode(country === undefined ? everyCode : table.codesFor(country), random)
  if (code === undefined) throw unavailable(country === undefined ? 'no_trunk' : missingRoute(table.trunks, country))
  return code
}
