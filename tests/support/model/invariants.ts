// What must be true of every history of the model. Checked by counting in its log, without the functions that the model is
// made of; only the ledger is also shown to its own audit.

import { ledgerDiscrepancies } from '../../../server/src/domain/money/ledger.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import { dayMs, hourMs } from '../../../server/src/domain/values/time.ts'
import {
  callsPerDayOverAll,
  cooldownMs,
  shortWindowMs,
} from '../../../server/src/domain/verifications/number-limits.ts'
import { callDeadlineMs, startDeadlineMs } from '../../../server/src/domain/verifications/verification.ts'
import { optedOutNumber, type Step } from './steps.ts'
import { settle, takeStep } from './take-step.ts'
import {
  type Dial,
  type Layout,
  type ModelCall,
  type ModelService,
  newWorld,
  oneDatabase,
  type Parts,
  prefixOf,
  type Refused,
  type World,
} from './world.ts'

// No step but a sweep reaches further back than this.
const recent = 25

// Undefined, or what is wrong. Each is checked after every step, and looks at what the newest step can have broken.
const alwaysTrue = {
  'a final state never changes': finalStays,
  'an attempt is dialled once': dialledOnce,
  'no attempt follows ringing or the end, none is left out, none begins late': dialledInOrder,
  'a number has one call at a time': oneCallAtATime,
  'acceptances of a number are a cooldown apart': apart,
  'no window of a number holds more than its limit': (world) => windowFault(world, world.calls.slice(-1)),
  'no cap is passed': capFault,
  'usage is what was used': usageFault,
  'the ledger is in order': ledgerFault,
  'a failed call costs nothing': costFault,
  'an undone call leaves no trace on its number': undoneFault,
  'nothing is refused without reason': refusalFault,
} as const satisfies Record<string, (world: World) => string | undefined>

// These are checked when a history is over.
const trueAtTheEnd = {
  'no window of the whole history held too much': (world) => windowFault(world, world.calls),
  'everything ends': (world) => {
    const open = world.calls.find((call) => isGoingOn(call))
    if (open !== undefined) return `${open.id} never ends`
    return world.ledgers.some(({ held }) => held !== 0) ? 'money stays held' : undefined
  },
} as const satisfies Record<string, (world: World) => string | undefined>

export type Invariant = keyof typeof alwaysTrue | keyof typeof trueAtTheEnd
export const invariants = Object.keys({ ...alwaysTrue, ...trueAtTheEnd }) as Invariant[]

// Over two databases a number is reserved before the call is accepted, and a process may die in between: what is true of a
// number cannot be counted from the calls alone.
const aboutNumbers = new Set<Invariant>([
  'a number has one call at a time',
  'acceptances of a number are a cooldown apart',
  'no window of a number holds more than its limit',
  'no window of the whole history held too much',
  'an undone call leaves no trace on its number',
  'nothing is refused without reason',
])
export const invariantsOverTwoDatabases = invariants.filter((invariant) => !aboutNumbers.has(invariant))

// Plays a history and returns the first fault. Saw is called after each step and at the end.
export function faultIn(
  steps: readonly Step[],
  parts: Parts,
  asked: readonly Invariant[],
  saw: (world: World, isOver: boolean) => void = () => {},
  layout: Layout = oneDatabase,
): string | undefined {
  const world = newWorld(layout)
  const always = Object.entries(alwaysTrue).filter(([name]) => (asked as readonly string[]).includes(name))
  const atTheEnd = Object.entries(trueAtTheEnd).filter(([name]) => (asked as readonly string[]).includes(name))
  for (const [at, step] of steps.entries()) {
    takeStep(world, step, parts)
    saw(world, false)
    for (const [name, faultOf] of always) {
      const fault = faultOf(world)
      if (fault !== undefined) return `step ${at} broke "${name}": ${fault}`
    }
  }
  settle(world, parts)
  saw(world, true)
  for (const [name, faultOf] of [...always, ...atTheEnd]) {
    const fault = faultOf(world)
    if (fault !== undefined) return `at the end "${name}" is broken: ${fault}`
  }
  return undefined
}

// Drops the steps that a faulty history does not need. Histories have a fixed length, so fast-check could only simplify
// their steps.
export function shortened(steps: readonly Step[], isFaulty: (steps: readonly Step[]) => boolean): readonly Step[] {
  let short = steps
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < short.length; ) {
      const less = short.toSpliced(at, size)
      if (isFaulty(less)) short = less
      else at += size
    }
  }
  return short
}

function finalStays({ calls, finals }: World): string | undefined {
  for (const { id, state } of calls.slice(-recent)) {
    const first = finals.get(id)
    if (first === undefined) continue
    if (first.state !== state.state || first.attempt !== state.attempt || first.rang !== state.rang) {
      return `${id} was ${first.state} and is ${state.state}`
    }
  }
  return undefined
}

function dialledOnce({ dials }: World): string | undefined {
  const last = dials.at(-1)
  const before = dials.find((dial) => dial !== last && dial.call === last?.call && dial.attempt === last.attempt)
  return before === undefined ? undefined : `attempt ${before.attempt} of ${before.call.id} is dialled twice`
}

function dialledInOrder({ dials }: World): string | undefined {
  const last = dials.at(-1)
  if (last === undefined) return undefined
  const attempts = dials.filter(({ call }) => call === last.call).length
  if (last.attempt !== attempts) return `attempt ${last.attempt} of ${last.call.id} is dial number ${attempts}`
  if (last.rangBefore || last.endedBefore) return `${last.call.id} is dialled after it rang or ended`
  return isLate(last) ? `${last.call.id} is dialled late` : undefined
}

function isLate({ call, atMs }: Dial): boolean {
  return atMs - call.acceptedAtMs >= startDeadlineMs
}

// No call lasts longer than 55 seconds, whether its end was reported or not. A sweep ends a call without knowing its number,
// so the number stays taken until then.
function oneCallAtATime({ calls, numbers, nowMs }: World): string | undefined {
  const open = calls.filter((call) => !call.isTest && isGoingOn(call) && nowMs - call.acceptedAtMs < callDeadlineMs)
  const twice = open.find((call) => open.some((other) => other !== call && other.number === call.number))
  if (twice !== undefined) return `${twice.id} is going on beside another call to its number`
  const stale = calls.find(
    (call) => !isGoingOn(call) && !isSwept(call) && numbers[call.number]?.lease?.id === call.leaseId,
  )
  return stale === undefined ? undefined : `${stale.id} has ended and its number is still taken`
}

function apart({ calls }: World): string | undefined {
  const newest = calls.at(-1)
  if (newest === undefined || isUndone(newest) || newest.isTest) return undefined
  const near = calls.find(
    (call) =>
      call !== newest &&
      isCounted(call, newest.number) &&
      Math.abs(newest.acceptedAtMs - call.acceptedAtMs) < cooldownMs,
  )
  return near === undefined ? undefined : `${near.id} and ${newest.id} were accepted within the cooldown`
}

function windowFault(world: World, ends: readonly ModelCall[]): string | undefined {
  for (const call of ends) {
    const { number, service, acceptedAtMs } = call
    const full = isCounted(call, number) ? fullWindow(world, number, service, acceptedAtMs, 1) : undefined
    if (full !== undefined) return `number ${number} is above ${full}`
  }
  return undefined
}

// Which limit is reached (excess 0) or passed (1) in the window that ends here.
function fullWindow(
  { calls }: World,
  number: number,
  service: ModelService,
  endMsIncluded: number,
  excess: number,
): string | undefined {
  const all = calls.filter((call) => isCounted(call, number) && call.acceptedAtMs <= endMsIncluded)
  const own = all.filter((call) => call.service === service)
  const within = (some: readonly ModelCall[], ms: number) =>
    some.filter(({ acceptedAtMs }) => endMsIncluded - acceptedAtMs < ms).length
  if (within(all, dayMs) >= callsPerDayOverAll + excess) return 'used-up-all'
  if (within(own, shortWindowMs) >= service.callsPer10Minutes + excess) return 'used-up-10-minutes'
  return within(own, dayMs) >= service.callsPerDay + excess ? 'used-up-day' : undefined
}

function capFault(world: World): string | undefined {
  const newest = world.calls.at(-1)
  if (newest === undefined || isUndone(newest) || newest.isTest) return undefined
  const { service, number, acceptedAtMs } = newest
  return brokenCap(world, service, number, acceptedAtMs, 0, 0)
}

function brokenCap(
  world: World,
  service: ModelService,
  number: number,
  atMs: number,
  more: number,
  spentMore: number,
): string | undefined {
  const { hourCount, dayCount, daySpent } = usedOf(world.calls, service, atMs)
  if (hourCount + more > (service.verificationsHourMax ?? Number.POSITIVE_INFINITY)) return 'cap-hour'
  if (dayCount + more > (service.verificationsDayMax ?? Number.POSITIVE_INFINITY)) return 'cap-day'
  if (daySpent + spentMore > (service.spendDayMax ?? Number.POSITIVE_INFINITY)) return 'cap-spend'
  const ofPrefix = world.calls.filter((call) => prefixOf(call.number) === prefixOf(number))
  const prefixCount = usedOf(ofPrefix, service, atMs).hourCount
  return prefixCount + more > (service.prefixHourMax ?? Number.POSITIVE_INFINITY) ? 'cap-prefix' : undefined
}

function usedOf(calls: readonly ModelCall[], service: ModelService, atMs: number) {
  const ofDay = calls.filter(
    (call) => call.service === service && !call.isTest && !isUndone(call) && isSame(call.acceptedAtMs, atMs, dayMs),
  )
  return {
    hourCount: ofDay.filter((call) => isSame(call.acceptedAtMs, atMs, hourMs)).length,
    dayCount: ofDay.length,
    daySpent: ofDay.filter(({ state }) => state.state !== 'failed').reduce((sum, { price }) => sum + price, 0),
  }
}

function isSame(aMs: number, bMs: number, lengthMs: number): boolean {
  return Math.floor(aMs / lengthMs) === Math.floor(bMs / lengthMs)
}

function usageFault(world: World): string | undefined {
  for (const service of new Set(world.calls.slice(-recent).map((call) => call.service))) {
    const usage = world.usages.get(service.serviceId)
    if (usage === undefined) return `service ${service.serviceId} has no usage`
    const { hourCount } = usedOf(world.calls, service, usage.hourStartMs)
    const { dayCount, daySpent } = usedOf(world.calls, service, usage.dayStartMs)
    if (usage.hourCount !== hourCount || usage.dayCount !== dayCount || usage.daySpent !== daySpent) {
      return `service ${service.serviceId} has used ${hourCount}, ${dayCount}, ${daySpent}: ${JSON.stringify(usage)}`
    }
  }
  return undefined
}

function ledgerFault({ ledgers, calls }: World): string | undefined {
  for (const [account, { balance, held, entries, credits }] of ledgers.entries()) {
    const open = calls.filter((call) => call.service.account === account && isGoingOn(call))
    const pendingPrices = open.reduce((sum, { price }) => sum + price, 0) as MicroAmount
    const [fault] = ledgerDiscrepancies({ balance, held, pendingPrices, entries })
    if (fault !== undefined) return fault
    const credited = credits.reduce((sum, amount) => sum + amount, 0)
    if (balance + held + entries.revenue !== credited) return `account ${account} lost or found money`
  }
  return undefined
}

const closings = { accepted: undefined, dialling: undefined, succeeded: 'capture', failed: 'release' } as const

function costFault({ calls, lines }: World): string | undefined {
  for (const { id, price, state } of calls.slice(-recent)) {
    const own = lines.get(id) ?? []
    const [first, second] = own
    const isRight =
      own.length === (closings[state.state] === undefined ? 1 : 2) &&
      first?.move === 'hold' &&
      second?.move === closings[state.state] &&
      own.every(({ amount }) => amount === price)
    if (!isRight) return `${id} is ${state.state}: ${JSON.stringify(own)}`
  }
  return undefined
}

function undoneFault({ calls, numbers }: World): string | undefined {
  const left = calls.filter(isUndone).find(({ leaseId, number }) => {
    const history = numbers[number]
    return history?.lease?.id === leaseId || history?.calls.some((call) => call.leaseId === leaseId)
  })
  return left === undefined ? undefined : `${left.id} was undone and still counts`
}

function refusalFault(world: World): string | undefined {
  if (world.refused === undefined) return undefined
  const { decision } = world.refused
  const right = decisionFor(world, world.refused)
  return right === decision ? undefined : `refused with ${decision}, where ${right} is right`
}

function decisionFor(world: World, { service, number, price }: Refused): string | undefined {
  const { calls, ledgers, nowMs } = world
  if (number === optedOutNumber) return 'opted-out'
  const cap = brokenCap(world, service, number, nowMs, 1, price)
  if (cap !== undefined) return cap
  if ((ledgers[service.account]?.balance ?? 0) < price) return 'no-money'
  const isTooSoon = calls.some((call) => {
    const ageMs = nowMs - call.acceptedAtMs
    const holdsNumber = isGoingOn(call) || isSwept(call)
    return isCounted(call, number) && (ageMs < cooldownMs || (holdsNumber && ageMs < callDeadlineMs))
  })
  return isTooSoon ? 'too-soon' : fullWindow(world, number, service, nowMs, 0)
}

function isCounted(call: ModelCall, number: number): boolean {
  return call.number === number && !call.isTest && !isUndone(call)
}

function isGoingOn({ state }: ModelCall): boolean {
  return state.state === 'accepted' || state.state === 'dialling'
}

function isUndone({ reason }: ModelCall): boolean {
  return reason === 'not-dispatched'
}

function isSwept({ reason }: ModelCall): boolean {
  return reason === 'not-started' || reason === 'lost' || reason === 'lost-ringing'
}
