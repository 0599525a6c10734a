// initCall: what is cheap to refuse is refused first and without the record; then one batched step in the record judges
// key, caps, money and limits and accepts; then the call is handed off, and only then is the client answered. A hand-off
// that fails takes the accept back, unless a worker has claimed the call by then.

import type { Answer } from '@ringproof/contract/answers.ts'
import type { Accepted, CallEnd, CallRequest } from '../db/call.ts'
import type { CallBatches } from '../db/call-batches.ts'
import type { RoutingTable } from '../db/routing-table.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { closeNumber } from '../db/subscriber-number.ts'
import { type CallOrder, type CallRoute, testTrunk } from '../domain/call-order.ts'
import type { Caller } from '../domain/caller.ts'
import { everyCode } from '../domain/caller-pool.ts'
import { fractionOf } from '../domain/fraction.ts'
import { noMoney } from '../domain/money.ts'
import type { NumberBook } from '../domain/number-book.ts'
import { phoneInfoOf } from '../domain/number-picture.ts'
import { describeNumber, isTestNumber } from '../domain/number-plan.ts'
import { numberPrefix, optOutDigest } from '../domain/number-prefix.ts'
import { mask, ofActiveKey, slotOfNumber, subscriberHashes, tenantHashes } from '../domain/phone-number.ts'
import { pickCode, routesFor } from '../domain/routing.ts'
import { uniqueDigests } from '../domain/sealed-words.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../domain/sealing.ts'
import { type Slot, slotOfAccount, type VerificationId } from '../domain/slot.ts'
import type { StartCommand } from '../domain/start-command.ts'
import { priceOf } from '../domain/tariff.ts'
import { Refusal } from '../errors.ts'
import { acceptOverShards } from './accept-over-shards.ts'
import { refuseVerdict } from './refuse-verdict.ts'
import { unlessBusy } from './unless-busy.ts'

export type StartDeps = {
  readonly slots: SlotMap
  readonly batches: CallBatches
  readonly routing: () => RoutingTable
  readonly numbers: () => NumberBook
  readonly keys: {
    readonly phoneTenant: KeyRing
    readonly phoneSubscriber: KeyRing
    readonly phoneSlot: KeyRing
    readonly sealRecords: KeyRing
  }
  readonly chance: (bytes: number) => Uint8Array
  readonly timeScale: number
  // Calls an hour to one prefix over all services.
  readonly prefixHourMax: number | undefined
  // Resolves when the call is safe in the stream of its trunk.
  readonly handOff: (order: CallOrder) => Promise<void>
  readonly isFull: (trunk: string) => boolean
}

// What was found out about a wish before the record is asked.
type Plan = {
  readonly isTest: boolean
  readonly country: string
  readonly code: string
  readonly routes: readonly [CallRoute, ...CallRoute[]]
  readonly request: CallRequest
  // Under every key, the active one first.
  readonly phoneHashes: readonly Buffer[]
  readonly numberHashes: readonly Buffer[]
  readonly numberSlot: Slot
  readonly optOutDigest: Buffer
}

export async function startVerification(
  deps: StartDeps,
  caller: Caller,
  command: StartCommand,
): Promise<Answer<'initCall'>> {
  const plan = planCall(deps, caller, command)
  const { accepted, numberToken } = await unlessBusy(accept(deps, plan))
  const { verdict, id } = accepted
  if (id === null || (verdict !== 'accepted' && verdict !== 'exists')) throw refuseVerdict(accepted, caller)
  if (verdict === 'exists') return replay(deps, caller, command, plan, id)
  await handOffOrUndo(deps, plan, orderOf(caller, command, plan, id, numberToken ?? id))
  return answer(command, id, mask(command.phone), plan.code, command.client, false)
}

function planCall(deps: StartDeps, caller: Caller, command: StartCommand): Plan {
  const { phone, mode } = command
  const table = deps.routing()
  const isTest = isTestNumber(phone)
  const book = deps.numbers()
  const { country = '', isCallable } = describeNumber(phone, book)
  if (isTest ? !caller.testNumbers : !isCallable) throw new Refusal('phoneWrong')
  if (!isTest && !caller.geography.includes(country)) throw new Refusal('countryNotAllowed', { country })
  if (!modeCountries[mode].includes(country) && !isTest && mode !== 'flash')
    throw new Refusal('modeNotAvailable', { mode })
  if (table.stop && !isTest) throw new Refusal('callsStopped', {}, stoppedRetrySeconds)
  const code = command.code ?? chooseCode(deps, table, isTest || mode === 'voice' ? undefined : country)
  const routes = isTest ? testRoutes : chooseRoutes(deps, table, { country, mode, code })
  const price = isTest
    ? noMoney
    : priceOf(table.pricesOf(caller.tariff), { method: 'initCall', mode, country }, table.readAt)
  if (price === undefined || deps.isFull(routes[0].trunk)) throw new Refusal('cannotStart', {}, 5)

  const numberSlot = slotOfNumber(deps.keys.phoneSlot, phone)
  const numberHashes = subscriberHashes(deps.keys.phoneSubscriber, phone)
  const phoneHashes = tenantHashes(deps.keys.phoneTenant, caller.accountId, phone)
  const optOut = optOutDigest(deps.keys.phoneSlot, phone)
  const isHere = deps.slots.databaseOf(numberSlot) === deps.slots.databaseOf(slotOfAccount(caller.accountId))
  const request: CallRequest = {
    ...caller,
    keyDigests:
      command.unique === undefined ? undefined : uniqueDigests(deps.keys.phoneTenant, caller.serviceId, command.unique),
    isTest,
    mode,
    phoneHash: ofActiveKey(phoneHashes),
    phoneMaskSealed: sealWord(deps, 'mask', caller, mask(phone)),
    numberHashes: isHere ? numberHashes : undefined,
    country,
    phoneInfo: phoneInfoOf(phone, country, book),
    code,
    clientSealed: command.client === '' ? undefined : sealWord(deps, 'client', caller, command.client),
    uniqueSealed: command.unique === undefined ? undefined : sealWord(deps, 'unique', caller, command.unique),
    price,
    trunk: routes[0].trunk,
    callerNumber: routes[0].callerNumber,
    optOutDigest: isHere ? optOut : undefined,
    prefix: isTest ? undefined : numberPrefix(deps.keys.phoneSlot, phone),
    prefixMax: isTest ? undefined : lowest(caller.prefixHourMax, deps.prefixHourMax),
  }
  return { isTest, country, code, routes, request, phoneHashes, numberHashes, numberSlot, optOutDigest: optOut }
}

// An operator decides when calls start again; until then nobody needs to ask often.
const stoppedRetrySeconds = 30

const notHandedOff = 'not-handed-off'

// How long a request may be on its way from the record to the stream before another looks after it.
const patienceMs = 1_000

const modeCountries = { flash: [], voice: ['RU', 'KZ'], mix: ['RU'] } as Record<StartCommand['mode'], string[]>
const testRoutes = [
  { trunk: testTrunk, callerNumber: undefined, ringSeconds: undefined, countsEarlyMedia: false },
] as const

// Of two caps, either of which may be absent.
function lowest(a: number | null, b: number | undefined): number | undefined {
  return a === null ? b : Math.min(a, b ?? a)
}

// Uniform over what can be shown; where nothing needs to be shown, over all codes.
function chooseCode(deps: StartDeps, table: RoutingTable, country: string | undefined): string {
  const codes = country === undefined ? everyCode : table.codesFor(country)
  const code = pickCode(codes, fractionOf(deps.chance))
  if (code === undefined) throw new Refusal('cannotStart', {}, 5)
  return code
}

function chooseRoutes(
  deps: StartDeps,
  table: RoutingTable,
  wanted: Parameters<typeof routesFor>[2],
): readonly [CallRoute, ...CallRoute[]] {
  const { routes, refusal } = routesFor(table.trunks, table.ranges, wanted, fractionOf(deps.chance))
  if (!routes) throw refusal === 'cannotStart' ? new Refusal(refusal, {}, 5) : new Refusal(refusal)
  const [first, ...rest] = routes.map(({ trunk, callerNumber }) => ({
    trunk: trunk.name,
    callerNumber,
    ringSeconds: trunk.ringSeconds ?? undefined,
    countsEarlyMedia: trunk.countsEarlyMedia,
  }))
  if (!first) throw new Refusal('cannotStart', {}, 5)
  return [first, ...rest]
}

async function accept(deps: StartDeps, plan: Plan): Promise<{ accepted: Accepted; numberToken: number | undefined }> {
  if (plan.isTest || plan.request.numberHashes) {
    return { accepted: await deps.batches.accept(plan.request), numberToken: undefined }
  }
  return acceptOverShards(deps, plan)
}

async function handOffOrUndo(deps: StartDeps, plan: Plan, order: CallOrder): Promise<void> {
  const { id, numberToken } = order
  try {
    await deps.handOff(order)
  } catch (error) {
    const end: CallEnd = {
      id,
      attempt: 0,
      made: false,
      reason: notHandedOff,
      sipStatus: undefined,
      numberHashes: plan.request.numberHashes,
      numberToken,
    }
    await deps.batches.undo(end)
    // A hand-off whose answer was lost may have come through all the same, and a retry may have been answered with the call:
    // then it was not undone.
    const kept = await deps.batches.read(id)
    if (kept !== undefined && (kept.state !== 'failed' || kept.attempt > 0)) return
    if (!plan.isTest && !plan.request.numberHashes) {
      await closeNumber(deps.slots.databaseOf(plan.numberSlot), plan.numberHashes, numberToken, true)
    }
    throw new Refusal('cannotStart', {}, 5, { cause: error })
  }
}

function orderOf(
  caller: Caller,
  command: StartCommand,
  plan: Plan,
  id: VerificationId,
  numberToken: number,
): CallOrder {
  return {
    id,
    attempt: 1,
    routes: plan.routes,
    mode: command.mode,
    code: plan.code,
    language: caller.language,
    isTest: plan.isTest,
    number: command.phone,
    numberToken,
  }
}

// The same key again: the first result. If the first request died before its hand-off, nobody has claimed the call, and
// the number, which we did not keep, is in this request: it is handed off now.
async function replay(
  deps: StartDeps,
  caller: Caller,
  command: StartCommand,
  plan: Plan,
  id: VerificationId,
): Promise<Answer<'initCall'>> {
  const first = await deps.batches.read(id)
  if (!first) throw new Error(`verification ${id} of an idempotency key is not in the record`)
  // Undone a moment ago, and the key is free: whoever asks again gets another one.
  if (first.reason === notHandedOff) throw new Refusal('cannotStart', {}, 5)
  // Whoever is answered with it must find it again under its key, so the first request may not undo it any more.
  if (first.state === 'accepted' && !first.takenUp) {
    await deps.batches.takeUp(id)
    return replay(deps, caller, command, plan, id)
  }
  const isUnclaimed = first.state === 'accepted' && plan.phoneHashes.some((hash) => hash.equals(first.phoneHash))
  // Those that come within a moment of the first find it still at work.
  if (isUnclaimed && first.mode !== 'inbound' && first.acceptedAgoMs > patienceMs * deps.timeScale) {
    const { mode, country, code } = { ...first, mode: first.mode, code: first.code ?? '' }
    const routes = first.isTest ? testRoutes : chooseRoutes(deps, deps.routing(), { country, mode, code })
    const order = orderOf(caller, { ...command, mode }, { ...plan, routes, code }, id, id)
    await deps.handOff(order).catch((error: unknown) => {
      throw new Refusal('cannotStart', {}, 5, { cause: error })
    })
  }
  const client = first.clientSealed === null ? '' : openWord(deps, 'client', caller, first.clientSealed)
  const phone = openWord(deps, 'mask', caller, first.phoneMaskSealed)
  return answer(command, id, phone, first.code ?? '', client, true)
}

function answer(
  { unique }: StartCommand,
  id: VerificationId,
  phone: string,
  code: string,
  client: string,
  exists: boolean,
): Answer<'initCall'> {
  const replayed = unique === undefined ? {} : { unique_request_id: unique, exists }
  return { status: true, vendor_id: id, phone, code, client, ...replayed }
}

type Sealed = 'mask' | 'client' | 'unique'

function sealWord(deps: StartDeps, purpose: Sealed, { serviceId }: Caller, word: string): Buffer {
  return seal(deps.keys.sealRecords, purpose, serviceId, word, deps.chance(nonceBytes))
}

function openWord(deps: StartDeps, purpose: Sealed, { serviceId }: Caller, sealed: Buffer): string {
  return unseal(deps.keys.sealRecords, purpose, serviceId, sealed)
}
