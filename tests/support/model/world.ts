// The model: accounts with money, services with limits and caps, numbers and the calls to them. It does in memory what the
// actions and the SQL functions do in PostgreSQL, one step at a time, over one database or two, and logs what happened.
// invariants.ts checks the log by other means; database-world.ts takes the same steps for real.

import type { AcceptDecision } from '../../../server/src/db/verifications/verification.ts'
import type { ServiceId } from '../../../server/src/domain/core/slot.ts'
import { type AccountTotals, emptyTotals, entered, type Move } from '../../../server/src/domain/money/ledger.ts'
import { addMoney, type MicroAmount, negative, zeroMoney } from '../../../server/src/domain/money/money.ts'
import {
  evaluateNumberLimits,
  type NumberHistory,
  neverCalled,
  accepted as numberAccepted,
  ended as numberEnded,
  givenBack as numberGivenBack,
} from './number-limits.ts'
import {
  evaluateCaps,
  neverUsed,
  type PrefixUsage,
  type ServiceCaps,
  type ServiceUsage,
  spendGivenBack,
  usageGivenBack,
  usedBy,
} from './service-caps.ts'
import { accountCount, numberCount } from './steps.ts'
import { accepted, after, type VerificationState } from './verification.ts'

// What the model is made of; a seeded fault replaces one of these.
export const soundParts = {
  accepted,
  after,
  entered,
  canPay: (balance: MicroAmount, price: MicroAmount): boolean => price <= balance,
  closingMove: (succeeded: boolean): Move => (succeeded ? 'capture' : 'release'),
  evaluateNumberLimits,
  numberAccepted,
  numberEnded,
  numberGivenBack,
  evaluateCaps,
  usedBy,
  spendGivenBack,
  usageGivenBack,
}
export type Parts = typeof soundParts

// In which database accounts and numbers are. Calls of most accounts to number 0 cross from one to the other.
export type Layout = { readonly accounts: readonly number[]; readonly numbers: readonly number[] }
export const oneDatabase: Layout = { accounts: [0, 0, 0], numbers: [0, 0, 0, 0] }
export const twoDatabases: Layout = { accounts: [0, 1, 0], numbers: [1, 0, 1, 0] }

export type ModelService = ServiceCaps & {
  readonly serviceId: ServiceId
  readonly account: number
  readonly callsPer10Minutes: number
  readonly callsPerDay: number
}

export type ModelCall = {
  readonly id: number
  readonly service: ModelService
  readonly number: number
  readonly price: MicroAmount
  readonly balanceBefore: MicroAmount
  readonly isTest: boolean
  readonly key: number | undefined
  readonly isRemote: boolean
  readonly acceptedAtMs: number
  // On the number, as the order of the call knows it.
  leaseId: number
  // Its order has reached the queue.
  isDispatched: boolean
  state: VerificationState
  reason: string | undefined
}

type Ledger = {
  balance: MicroAmount
  held: MicroAmount
  entries: AccountTotals
  readonly credits: MicroAmount[]
}

export type LedgerLine = { readonly move: Move; readonly amount: MicroAmount }

export type Dial = {
  readonly call: ModelCall
  readonly attempt: number
  readonly atMs: number
  readonly rangBefore: boolean
  readonly endedBefore: boolean
}

export type Decided = {
  readonly decision: AcceptDecision | 'reserved' | 'lost-response' | 'died'
  readonly callId: number | null
  readonly retryMs: number | null
}

export type Refused = {
  readonly service: ModelService
  readonly number: number
  readonly price: MicroAmount
  readonly decision: string
}

export type World = {
  nowMs: number
  readonly layout: Layout
  readonly ledgers: Ledger[]
  readonly usages: Map<ServiceId, ServiceUsage>
  readonly prefixes: Map<string, PrefixUsage>
  readonly numbers: NumberHistory[]
  readonly calls: ModelCall[]
  readonly keys: Map<string, number>
  readonly lines: Map<number, LedgerLine[]>
  readonly dials: Dial[]
  readonly rung: Set<number>
  readonly finals: Map<number, VerificationState>
  leaseCount: number
  refused: Refused | undefined
}

const noCaps: ServiceCaps = {
  verificationsHourMax: null,
  verificationsDayMax: null,
  spendDayMax: null,
  prefixHourMax: null,
}

export const services: readonly ModelService[] = [
  { ...service(1, 0, 3, 6), ...noCaps, prefixHourMax: 9 },
  { ...service(2, 0, 30, 30), ...noCaps },
  { ...service(3, 1, 2, 3), ...noCaps, spendDayMax: 2_500_000 as MicroAmount },
  { ...service(4, 1, 30, 30), ...noCaps, verificationsHourMax: 6, prefixHourMax: 5 },
  { ...service(5, 2, 30, 12), ...noCaps, verificationsDayMax: 11 },
]

// Model IDs of calls count from here.
export const firstCallId = 1_000_000

export const firstNowMs = Date.UTC(2026, 10, 15, 23, 40)

export function newWorld(layout: Layout = oneDatabase, nowMs = firstNowMs): World {
  return {
    nowMs,
    layout,
    ledgers: Array.from({ length: accountCount }, () => ({
      balance: zeroMoney,
      held: zeroMoney,
      entries: emptyTotals,
      credits: [],
    })),
    usages: new Map(),
    prefixes: new Map(),
    numbers: Array.from({ length: numberCount }, () => neverCalled),
    calls: [],
    keys: new Map(),
    lines: new Map(),
    dials: [],
    rung: new Set(),
    finals: new Map(),
    leaseCount: 0,
    refused: undefined,
  }
}

export function serviceAt(index: number): ModelService {
  const found = services[index]
  if (found === undefined) throw new RangeError(`no service ${index}`)
  return found
}

// Numbers 0 and 1 have the same prefix.
export function prefixOf(number: number): number {
  return number < 2 ? 1 : number
}

export function isRemote({ layout }: World, { account }: ModelService, number: number): boolean {
  return layout.accounts[account] !== layout.numbers[number]
}

// An entry of the ledger, and the account's row as the database changes it with the entry.
export function enter(
  world: World,
  parts: Parts,
  account: number,
  id: number | undefined,
  move: Move,
  amount: MicroAmount,
): void {
  const ledger = ledgerOf(world, account)
  if (id === undefined) ledger.credits.push(amount)
  else world.lines.set(id, [...(world.lines.get(id) ?? []), { move, amount }])
  ledger.entries = parts.entered(ledger.entries, move, amount)
  if (move === 'hold' || move === 'capture' || move === 'release') {
    ledger.held = addMoney(ledger.held, move === 'hold' ? amount : negative(amount))
  }
  if (move !== 'capture') ledger.balance = addMoney(ledger.balance, move === 'hold' ? negative(amount) : amount)
}

export function keyName({ serviceId }: ModelService, key: number | undefined): string | undefined {
  return key === undefined ? undefined : `${serviceId} ${key}`
}

export function prefixName({ serviceId }: ModelService, number: number): string {
  return `${serviceId} ${prefixOf(number)}`
}

export function ledgerOf(world: World, account: number): Ledger {
  const ledger = world.ledgers[account]
  if (ledger === undefined) throw new RangeError(`no account ${account}`)
  return ledger
}

export function usageOf(world: World, { serviceId }: ModelService): ServiceUsage {
  return world.usages.get(serviceId) ?? neverUsed
}

export function numberAt(world: World, number: number): NumberHistory {
  return world.numbers[number] ?? neverCalled
}

export function updateNumber(world: World, number: number, change: (history: NumberHistory) => NumberHistory): void {
  world.numbers[number] = change(numberAt(world, number))
}

function service(
  id: number,
  account: number,
  callsPer10Minutes: number,
  callsPerDay: number,
): Omit<ModelService, keyof ServiceCaps> {
  return { serviceId: id as ServiceId, account, callsPer10Minutes, callsPerDay }
}
