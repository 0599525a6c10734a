// A toy of the whole service, succeeded of the domain's functions: accounts with money, services with limits and caps, numbers
// and the calls to them. It does what actions and the database do, one step at a time, and logs what became of it. What the
// log must look like is told in history-invariants.ts, by other means than the functions that run here.

import type { CallMode } from '@ringproof/contract/methods.ts'
import fc from 'fast-check'
import {
  type Cap,
  evaluateCaps,
  evaluateNumberLimits,
  type NumberHistory,
  type NumberRefusal,
  neverCalled,
  neverUsed,
  accepted as numberAccepted,
  ended as numberEnded,
  givenBack as numberGivenBack,
  type ServiceCaps,
  type ServiceUsage,
  spendGivenBack,
  usageGivenBack,
  usedBy,
} from '../../server/src/domain/calls/number-limits.ts'
import {
  accepted,
  after,
  type VerificationEvent,
  type VerificationState,
} from '../../server/src/domain/calls/verification.ts'
import { type AccountTotals, emptyTotals, entered, type Move } from '../../server/src/domain/money/ledger.ts'
import { addMoney, type MicroRoubles, negative, zeroMoney } from '../../server/src/domain/money/money.ts'
import type { ServiceId, VerificationId } from '../../server/src/domain/slot.ts'

// What the toy is succeeded of; a seeded fault is one of these put in wrong.
export const soundParts = {
  accepted,
  after,
  entered,
  canPay: (balance: MicroRoubles, price: MicroRoubles): boolean => price <= balance,
  closingMove: (isSucceeded: boolean): Move => (isSucceeded ? 'capture' : 'release'),
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

export type ModelService = ServiceCaps & {
  readonly serviceId: ServiceId
  readonly account: number
  readonly callsPer10Minutes: number
  readonly callsPerDay: number
}

export type ModelCall = {
  readonly id: VerificationId
  readonly service: ModelService
  readonly number: number
  readonly price: MicroRoubles
  readonly acceptedAtMs: number
  state: VerificationState
  isUndone: boolean
}

type LedgerTotals = {
  balance: MicroRoubles
  held: MicroRoubles
  entries: AccountTotals
  readonly credits: MicroRoubles[]
}

type LedgerLine = { readonly move: Move; readonly amount: MicroRoubles }

export type Dial = {
  readonly call: ModelCall
  readonly attempt: number
  readonly atMs: number
  readonly rangBefore: boolean
  readonly endedBefore: boolean
}

export type Refusal = {
  readonly service: ModelService
  readonly number: number
  readonly price: MicroRoubles
  readonly because: NumberRefusal | Cap | 'insufficientFunds'
}

export type World = {
  nowMs: number
  readonly ledger: LedgerTotals[]
  readonly usages: Map<ServiceId, ServiceUsage>
  readonly numbers: NumberHistory[]
  readonly calls: ModelCall[]
  readonly lines: Map<VerificationId, LedgerLine[]>
  readonly dials: Dial[]
  readonly rung: Set<VerificationId>
  readonly finals: Map<VerificationId, VerificationState>
  refusal: Refusal | undefined
}

export type Step =
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'credit'; readonly account: number; readonly amount: number }
  | {
      readonly type: 'accept'
      readonly service: number
      readonly number: number
      readonly price: number
      readonly mode: CallMode
    }
  | Reception

// Something is received about a call, counted back from the newest; of its attempt, or of one before or after.
type Reception = {
  readonly type: VerificationEvent['type']
  readonly back: number
  readonly attemptOff: number
  readonly isSucceeded: boolean
}

const accountCount = 3
const numberCount = 3
const noCaps: ServiceCaps = { verificationsHourMax: null, verificationsDayMax: null, spendDayMax: null }

export const services: readonly ModelService[] = [
  { ...service(1, 0, 3, 6), ...noCaps },
  { ...service(2, 0, 30, 30), ...noCaps },
  { ...service(3, 1, 2, 3), ...noCaps, spendDayMax: 2_500_000 as MicroRoubles },
  { ...service(4, 1, 30, 30), ...noCaps, verificationsHourMax: 6 },
  { ...service(5, 2, 30, 12), ...noCaps, verificationsDayMax: 11 },
]

// Waits that end right at a border of something, besides many that end anywhere; days are rare, or nothing would add up.
const waits = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 30, arbitrary: fc.integer({ min: 15_000, max: 70_000 }) },
  { weight: 12, arbitrary: fc.constantFrom(1, 9_999, 10_000, 14_999, 15_000, 54_999, 55_000, 599_999, 600_000) },
  { weight: 1, arbitrary: fc.constantFrom(3_600_000, 86_399_999, 86_400_000, 43_200_000) },
)

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 22, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: waits }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('credit' as const),
      account: fc.nat(accountCount - 1),
      amount: fc.integer({ min: 1, max: 12_000_000 }),
    }),
  },
  {
    weight: 26,
    arbitrary: fc.record({
      type: fc.constant('accept' as const),
      service: fc.constantFrom(0, 0, 1, 1, 2, 3, 4),
      number: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2),
      price: fc.constantFrom(0, 1, 400_000, 800_000, 1_500_000),
      mode: fc.constantFrom('flash' as const, 'voice' as const, 'mix' as const),
    }),
  },
  {
    weight: 50,
    arbitrary: fc.record({
      type: fc.constantFrom(
        ...(['claim', 'claim', 'claim', 'claim', 'claim', 'rang', 'rang', 'rang'] as const),
        ...(['outcome', 'outcome', 'outcome', 'outcome', 'overdue', 'undo'] as const),
      ),
      back: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 5, 20),
      attemptOff: fc.constantFrom(0, 0, 0, 0, 0, 0, -1, 1),
      isSucceeded: fc.boolean(),
    }),
  },
)

export function histories(length: number): fc.Arbitrary<Step[]> {
  return fc.array(steps, { minLength: length, maxLength: length })
}

export function newWorld(): World {
  return {
    nowMs: Date.UTC(2026, 10, 15, 23, 40),
    ledger: Array.from({ length: accountCount }, () => ({
      balance: zeroMoney,
      held: zeroMoney,
      entries: emptyTotals,
      credits: [],
    })),
    usages: new Map(services.map(({ serviceId }) => [serviceId, neverUsed])),
    numbers: Array.from({ length: numberCount }, () => neverCalled),
    calls: [],
    lines: new Map(),
    dials: [],
    rung: new Set(),
    finals: new Map(),
    refusal: undefined,
  }
}

export function takeStep(world: World, step: Step, parts: Parts): void {
  world.refusal = undefined
  switch (step.type) {
    case 'wait':
      world.nowMs += step.ms
      break
    case 'credit':
      enter(world, parts, step.account, undefined, 'credit', step.amount as MicroRoubles)
      break
    case 'accept':
      accept(world, parts, step)
      break
    case 'claim':
    case 'rang':
    case 'outcome':
    case 'overdue':
    case 'undo': {
      const call = world.calls.at(-1 - step.back)
      if (call !== undefined) hear(world, parts, call, eventOf(step, call, world.nowMs))
    }
  }
}

// A minute passes in which nobody hears anything; then the keeper comes.
export function settle(world: World, parts: Parts): void {
  world.refusal = undefined
  world.nowMs += 55_000
  for (const call of world.calls) hear(world, parts, call, { type: 'overdue', atMs: world.nowMs })
}

function accept(world: World, parts: Parts, step: Step & { type: 'accept' }): void {
  const wanted = services[step.service]
  const history = world.numbers[step.number]
  if (wanted === undefined || history === undefined) throw new RangeError('no such service or number')
  const price = step.price as MicroRoubles
  const usage = usageOf(world, wanted)
  const because =
    parts.evaluateCaps(usage, wanted, price, world.nowMs) ??
    (parts.canPay(ledgerTotalsOf(world, wanted.account).balance, price) ? undefined : ('insufficientFunds' as const)) ??
    parts.evaluateNumberLimits(history, wanted, world.nowMs)
  if (because !== undefined) {
    world.refusal = { service: wanted, number: step.number, price, because }
    return
  }
  const id = (1_000_000 + world.calls.length) as VerificationId
  const state = parts.accepted(step.mode, world.nowMs)
  const call = { id, serviceId: wanted.serviceId, atMs: world.nowMs }
  world.numbers[step.number] = parts.numberAccepted(history, call, state.endUntilMs)
  world.usages.set(wanted.serviceId, parts.usedBy(usage, price, world.nowMs))
  enter(world, parts, wanted.account, id, 'hold', price)
  const { number } = step
  world.calls.push({ id, service: wanted, number, price, acceptedAtMs: world.nowMs, state, isUndone: false })
}

function hear(world: World, parts: Parts, call: ModelCall, event: VerificationEvent): void {
  const before = call.state
  const next = parts.after(before, event)
  if (next === before) return
  call.state = next
  if (event.type === 'claim') {
    const seen = { rangBefore: world.rung.has(call.id), endedBefore: world.finals.has(call.id) }
    world.dials.push({ call, attempt: event.attempt, atMs: world.nowMs, ...seen })
  }
  if (event.type === 'rang') world.rung.add(call.id)
  if (next.state !== 'succeeded' && next.state !== 'failed') return
  if (!world.finals.has(call.id)) world.finals.set(call.id, next)
  end(world, parts, call, event.type === 'undo')
}

function end(world: World, parts: Parts, call: ModelCall, isUndo: boolean): void {
  const { id, service: of, price, acceptedAtMs } = call
  const isSucceeded = call.state.state === 'succeeded'
  const history = world.numbers[call.number] ?? neverCalled
  const usage = usageOf(world, of)
  call.isUndone = isUndo
  enter(world, parts, of.account, id, parts.closingMove(isSucceeded), price)
  world.numbers[call.number] = isUndo ? parts.numberGivenBack(history, id) : parts.numberEnded(history, id)
  if (isUndo) world.usages.set(of.serviceId, parts.usageGivenBack(usage, price, acceptedAtMs))
  else if (!isSucceeded) world.usages.set(of.serviceId, parts.spendGivenBack(usage, price, acceptedAtMs))
}

// An entry of the ledger, and the row of the account as the database changes it beside.
function enter(
  world: World,
  parts: Parts,
  account: number,
  id: VerificationId | undefined,
  move: Move,
  amount: MicroRoubles,
): void {
  const ledger = ledgerTotalsOf(world, account)
  if (id === undefined) ledger.credits.push(amount)
  else world.lines.set(id, [...(world.lines.get(id) ?? []), { move, amount }])
  ledger.entries = parts.entered(ledger.entries, move, amount)
  if (move === 'hold' || move === 'capture' || move === 'release') {
    ledger.held = addMoney(ledger.held, move === 'hold' ? amount : negative(amount))
  }
  if (move !== 'capture') ledger.balance = addMoney(ledger.balance, move === 'hold' ? negative(amount) : amount)
}

function eventOf(step: Reception, call: ModelCall, atMs: number): VerificationEvent {
  const attempt = call.state.attempt + step.attemptOff
  switch (step.type) {
    case 'claim':
      return { type: 'claim', attempt: attempt + 1, atMs }
    case 'rang':
      return { type: 'rang', attempt }
    case 'outcome':
      return { type: 'outcome', attempt, succeeded: step.isSucceeded }
    case 'overdue':
      return { type: 'overdue', atMs }
    case 'undo':
      return { type: 'undo' }
  }
}

function ledgerTotalsOf(world: World, account: number): LedgerTotals {
  const ledger = world.ledger[account]
  if (ledger === undefined) throw new RangeError('no such account')
  return ledger
}

function usageOf(world: World, { serviceId }: ModelService): ServiceUsage {
  return world.usages.get(serviceId) ?? neverUsed
}

function service(
  id: number,
  account: number,
  callsPer10Minutes: number,
  callsPerDay: number,
): Omit<ModelService, keyof ServiceCaps> {
  return { serviceId: id as ServiceId, account, callsPer10Minutes, callsPerDay }
}
