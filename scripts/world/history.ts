// Everything that happens in the world between two times, in order, from one seed. It reads no clock and has no randomness of its
// own: the same seed and times give the same history. Every outcome is evaluated by the product's own rules.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { dayMs, minuteMs } from '../../server/src/domain/values/time.ts'
import { outcomeOf } from '../../server/src/domain/verifications/call-outcome.ts'
import { refuseDecision } from '../../server/src/domain/verifications/refuse-decision.ts'
import { startDeadlineMs } from '../../server/src/domain/verifications/verification.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import { customerNames, customers, prices, type TrunkName, trunkNames, trunks, type WorldMode } from './cast.ts'
import { faultsOf, type Visit, visitsIn } from './demand.ts'
import type { Call, Carried, History, PaymentIn, PlacedAttempt, Refused, Waiting } from './events.ts'
import { brokenReceiver, deliveriesOf, givenUpWithinMs, waitMs, willCall } from './inbound.ts'
import { calls10Minutes, callsDay, createLimits } from './limits.ts'
import { type Fault, progressOf } from './network.ts'
import { type Draw, drawsOf } from './random.ts'
import { providerOf, subscriberNumber } from './subscribers.ts'
import { createSwitching, type Switching } from './switching.ts'

type Period = {
  readonly seed: number
  // The local midnight at which the world begins.
  readonly beginMs: number
  // On whole minutes. What starts before the end goes on to its own end.
  readonly fromMs: number
  readonly untilMs: number
  readonly carried: Carried
}

const evaluatedEveryMs = 10_000

export const nothingCarried: Carried = {
  balances: Object.fromEntries(customerNames.map((name) => [name, 0])) as Carried['balances'],
  usuals: [],
}

type World = Omit<Period, 'carried'> & {
  readonly draw: Draw
  readonly faults: readonly Fault[]
  readonly agenda: Agenda
  readonly limits: ReturnType<typeof createLimits>
  readonly switching: Switching
  readonly events: { calls: Call[]; waitings: Waiting[]; refused: Refused[]; payments: PaymentIn[] }
}

export function makeHistory({ carried, ...period }: Period): History {
  const { seed, beginMs, fromMs, untilMs } = period
  const world: World = {
    ...period,
    draw: drawsOf(seed),
    faults: faultsOf(beginMs),
    agenda: createAgenda(),
    limits: createLimits(carried.balances),
    switching: createSwitching(carried.usuals),
    events: { calls: [], waitings: [], refused: [], payments: [] },
  }
  const { agenda, limits, switching, events } = world
  for (let minute = (fromMs - beginMs) / minuteMs; beginMs + minute * minuteMs < untilMs; minute++) {
    for (const visit of visitsIn(world.draw, beginMs, minute)) begin(world, visit)
    watch(world, beginMs + minute * minuteMs)
    payIn(world, beginMs + minute * minuteMs)
    agenda.runUntil(beginMs + (minute + 1) * minuteMs)
  }
  agenda.runUntil(Number.POSITIVE_INFINITY)
  const { usuals, ...switched } = switching.result()
  const byTime = <Event extends { readonly atMs: number }>(all: Event[]) => all.toSorted((a, b) => a.atMs - b.atMs)
  return {
    calls: byTime(events.calls),
    waitings: byTime(events.waitings),
    refused: byTime(events.refused),
    payments: events.payments,
    ...switched,
    carried: { balances: limits.balances(), usuals },
  }
}

function watch({ agenda, switching }: World, startMs: number): void {
  if (switching.isQuiet()) return switching.step(startMs)
  for (let atMs = startMs; atMs < startMs + minuteMs; atMs += evaluatedEveryMs) agenda.add(atMs, switching.step)
}

// Customers look after their balance, most of them.
function payIn({ limits, events, beginMs }: World, atMs: number): void {
  for (const name of customerNames) {
    const { payment, sinceDay } = customers[name]
    if (atMs < beginMs + sinceDay * dayMs || limits.available(name) > payment / 3) continue
    const reference = `transfer ${(atMs - beginMs) / minuteMs}`
    events.payments.push({ customer: name, atMs, amount: payment, reference })
    limits.pay(name, payment)
  }
}

function begin(world: World, visit: Visit): void {
  const { draw, agenda, untilMs } = world
  const { key, nth, mode, provider, atMs, customer } = visit
  // Its webhooks are tried for long, and all of them are to be over at the end.
  if (customer === brokenReceiver && atMs >= untilMs - givenUpWithinMs) return
  const phone = subscriberNumber(draw, key, nth, mode, provider)
  agenda.add(atMs, (nowMs) => ask(world, visit, { phone, mode, nowMs, nthTry: 1 }))
}

type Asked = {
  readonly phone: PhoneNumber
  readonly mode: WorldMode
  readonly nowMs: number
  // Of the person, from 1.
  readonly nthTry: number
}

function ask(world: World, visit: Visit, asked: Asked): void {
  const { limits, events } = world
  const { customer } = visit
  const { phone, mode, nowMs, nthTry } = asked
  const key = `${visit.key} ${nthTry}`
  const price = prices[mode]
  const balanceBefore = limits.available(customer)
  const wanted = { customer, phone, atMs: nowMs, price, isInbound: mode === 'inbound' }
  const decision = limits.decide(wanted)
  if (decision) {
    const refusal = refuseDecision(decision, { calls10Minutes, callsDay })
    events.refused.push({ key, customer, phone, mode, atMs: nowMs, name: refusal.refusal, refusal })
    askAgain(world, visit, asked, { isSucceeded: false, atMs: nowMs + (decision.retryMs ?? 0), isRefused: true })
    return
  }
  const started = { key, customer, phone, atMs: nowMs, price, balanceBefore }
  const { endedMs, isSucceeded } = mode === 'inbound' ? wait(world, started) : call(world, visit, { ...started, mode })
  world.agenda.add(endedMs, () => limits.end(wanted, isSucceeded))
  askAgain(world, visit, asked, { isSucceeded, atMs: endedMs, isRefused: false })
}

type Ended = { readonly isSucceeded: boolean; readonly atMs: number; readonly isRefused: boolean }

const triesMax = 4

// A person who got no call tries again, some too soon, and so does one who has mistyped the code.
function askAgain(world: World, visit: Visit, asked: Asked, { isSucceeded, atMs, isRefused }: Ended): void {
  const { draw, agenda, untilMs } = world
  const { mode, nthTry, nowMs } = asked
  const key = `${visit.key} ${nthTry}`
  const probability = visit.isPumped ? 0.7 : isSucceeded ? 0.09 : mode === 'inbound' ? 0.3 : 0.4
  if (nthTry >= triesMax || draw(key, 'again') >= probability || atMs - nowMs > 600_000) return
  const isHasty = !isRefused && draw(key, 'hasty') < 0.15
  const nextMs = isHasty ? nowMs + 4_000 + draw(key, 'pause') * 8_000 : atMs + 9_000 + draw(key, 'pause') * 40_000
  if (nextMs >= untilMs) return
  agenda.add(Math.floor(nextMs), (at) => ask(world, visit, { ...asked, nowMs: at, nthTry: nthTry + 1 }))
}

type Start = Pick<Call, 'key' | 'customer' | 'phone' | 'atMs' | 'price' | 'balanceBefore'>

function call(world: World, visit: Visit, start: Start & { readonly mode: CallMode }): Call {
  const { draw, switching, events } = world
  const { key, phone, mode } = start
  const { client, isCareful } = customers[start.customer]
  const code = String(1 + Math.floor(draw(key, 'code') * 9_999)).padStart(4, '0')
  const provider = providerOf(phone)
  const routes = switching.inOrder(routesOf(draw, key, mode, code), provider, draw(key, 'probe'))
  const attempts = attemptsOf(world, start, routes)
  const [first] = attempts
  const last = attempts.at(-1) ?? first
  const person = Math.floor(draw(visit.key, 'person') * 90_000) + 10_000
  const made: Call = {
    ...start,
    code,
    client: client === 'none' ? '' : `${client} ${person}`,
    unique: isCareful ? `${person}-${Math.floor(draw(key, 'unique') * 1_000_000_000)}` : undefined,
    attempts,
    endedMs: last.dialledMs + last.progress.endedAtMs + 4 + Math.floor(draw(key, 'written') * 9),
    isSucceeded: last.outcome.succeeded,
  }
  events.calls.push(made)
  const firstMs = first.dialledMs + first.progress.endedAtMs
  world.agenda.add(firstMs, (at) => switching.note(provider, first.trunk, at, first.progress.rangAtMs !== undefined))
  return made
}

type Route = { readonly trunk: TrunkName; readonly callerNumber: number }

// In order. In flash and mix the number that is shown ends with the code.
function routesOf(draw: Draw, key: string, mode: CallMode, code: string): readonly Route[] {
  return trunkNames.flatMap((trunk) => {
    const { callerBase, codes } = trunks[trunk]
    const [first, last] = codes
    if (mode === 'voice') {
      return [{ trunk, callerNumber: callerBase + first + Math.floor(draw(key, trunk) * (last - first + 1)) }]
    }
    const isOwn = Number(code) >= first && Number(code) <= last
    return isOwn ? [{ trunk, callerNumber: callerBase + Number(code) }] : []
  })
}

// Until one is final. The call must start within ten seconds.
function attemptsOf(
  { draw, faults }: World,
  { key, phone, mode, atMs }: Start & { readonly mode: CallMode },
  routes: readonly Route[],
): Call['attempts'] {
  const attempts: PlacedAttempt[] = []
  let dialledMs = atMs + 18 + Math.floor(draw(key, 'claim') * 45)
  for (const { trunk, callerNumber } of routes) {
    if (attempts.length > 0 && dialledMs - atMs >= startDeadlineMs) break
    const nth = `${key} ${attempts.length}`
    const progress = progressOf(draw, faults, { mode, phone, trunk, atMs: dialledMs, key: nth })
    const outcome = outcomeOf(mode, progress, false)
    attempts.push({ trunk, callerNumber, dialledMs, progress, outcome })
    if (!outcome.mayTryNextTrunk) break
    dialledMs += progress.endedAtMs + 15 + Math.floor(draw(nth, 'next') * 30)
  }
  const [first, ...rest] = attempts
  if (!first) throw new RangeError(`no trunk carries a call in mode ${mode}`)
  return [first, ...rest]
}

function wait({ draw, events, beginMs }: World, start: Start): Waiting {
  const { key, atMs, customer } = start
  const isSucceeded = willCall(draw, key)
  const trunk = draw(key, 'trunk') < 0.7 ? 'north' : 'south'
  const endedMs = atMs + waitMs(draw, key, isSucceeded)
  const waiting: Waiting = {
    ...start,
    trunk,
    confirmationNumber: trunks[trunk].confirmationFirst + Math.floor(draw(key, 'number') * 20),
    endedMs,
    isSucceeded,
    deliveries: isSucceeded ? deliveriesOf(draw, { key, customer, beginMs, calledMs: endedMs }) : [],
  }
  events.waitings.push(waiting)
  return waiting
}
