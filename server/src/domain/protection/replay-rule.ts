// Runs a rule over calls that were placed, to show what it would have refused before it is switched on. The calls come in the order
// in which they were accepted, and a call that the rule refuses counts for nothing afterwards, as it does live.
//
// The caps decide to the call. The breaker decides to the minute: it starts without knowing what is usual, while the live one
// remembers a day, and it lets through as many probes as one process does.

import type { ServiceId } from '../core/slot.ts'
import type { NumberPrefix } from '../numbers/number-prefix.ts'
import { hourMs, minuteMs } from '../values/time.ts'
import { isPrefixFull, type LimitedRule } from './fraud-limits.ts'
import {
  type Breaker,
  type CallCounts,
  countryFactor,
  newBreaker,
  probesMax,
  stepBreaker,
  usualOfCountry,
  usualOfPrefix,
  windowMinutes,
} from './prefix-breaker.ts'

export type PastCall = {
  readonly id: number
  readonly serviceId: ServiceId
  readonly prefix: NumberPrefix
  readonly country: string
  readonly phone: string
  readonly atMs: number
  readonly isSucceeded: boolean
  // Whether its end says something about the number, and not about us or a trunk.
  readonly isConclusive: boolean
}

export type Candidate = { readonly rule: LimitedRule; readonly callsMax: number }

// Whether the call would have been refused.
type Replay = (call: PastCall) => boolean

export function createReplay({ rule, callsMax }: Candidate, allowed: ReadonlySet<string>): Replay {
  const refuses = rule === 'breaker' ? replayBreaker(callsMax, allowed) : replayCap(rule, callsMax)
  return (call) => !allowed.has(String(call.prefix)) && refuses(call)
}

const repeatMs = 10 * minuteMs

function replayCap(rule: 'prefix-cap' | 'prefix-cap-all', callsMax: number): Replay {
  const hours = new Map<number, Map<string, number>>()
  return ({ atMs, serviceId, prefix }) => {
    const hour = Math.floor(atMs / hourMs)
    const counts = hours.get(hour) ?? new Map<string, number>()
    hours.set(hour, counts)
    for (const past of hours.keys()) if (past < hour - 1) hours.delete(past)
    const key = rule === 'prefix-cap' ? `${serviceId} ${prefix}` : String(prefix)
    const calls = counts.get(key) ?? 0
    if (isPrefixFull(calls, callsMax)) return true
    counts.set(key, calls + 1)
    return false
  }
}

// A minute is known once the calls of the next one are accepted: its own have ended by then.
const minutesLate = 1

type Minute = Map<string, CallCounts>

function replayBreaker(callsMin: number, allowed: ReadonlySet<string>): Replay {
  const minutes = new Map<number, Minute>()
  const breakers = new Map<string, Breaker>()
  // Those that are not closed, and the probes that each has let through.
  const pausing = new Map<string, number>()
  const countryOf = new Map<string, string>()
  const isRepeat = repeatsWithin(repeatMs)
  let current: number | undefined
  const isPaused = (scope: string): boolean => {
    const used = pausing.get(scope)
    if (used === undefined || allowed.has(scope)) return false
    if (breakers.get(scope)?.phase === 'open') return true
    pausing.set(scope, used + 1)
    return used >= probesMax
  }
  const stepMinute = (minute: number) => {
    const windows = sumOf(minutes, minute - minutesLate - windowMinutes, minute - minutesLate)
    // As live: countries, prefixes with enough calls, and what is not closed.
    const stepped = [...windows].filter(([scope, { calls }]) => !countryOf.has(scope) || calls >= callsMin)
    const scopes = new Set([...stepped.map(([scope]) => scope), ...pausing.keys()])
    const after = [...scopes].map((scope): [string, Breaker] => {
      const breaker = breakers.get(scope) ?? newBreaker
      const country = countryOf.get(scope)
      const ofCountry = usualOfCountry((breakers.get(country ?? scope) ?? newBreaker).baseline)
      const usual = country === undefined ? ofCountry : usualOfPrefix(breaker.baseline, ofCountry)
      const scopeMin = callsMin * (country === undefined ? countryFactor : 1)
      const input = { usual, callsMin: scopeMin, nowMs: minute * minuteMs, scale: 1 }
      return [scope, stepBreaker(breaker, windows.get(scope) ?? newBreaker.baseline, input)]
    })
    for (const [scope, breaker] of after) {
      if (breaker.phase === 'closed') pausing.delete(scope)
      else if (breaker.sinceMs !== breakers.get(scope)?.sinceMs) pausing.set(scope, 0)
      breakers.set(scope, breaker)
    }
    minutes.delete(minute - minutesLate - windowMinutes)
  }
  return (call) => {
    const minute = Math.floor(call.atMs / minuteMs)
    current ??= minute
    while (current < minute) stepMinute(++current)
    const scope = String(call.prefix)
    countryOf.set(scope, call.country)
    if (isPaused(call.country) || isPaused(scope)) return true
    const isAgain = isRepeat(call)
    if (call.isConclusive) for (const one of [call.country, scope]) addCall(minutes, minute, one, call, isAgain)
    return false
  }
}

// Whether the number was called within so long. It remembers two periods, not every number.
function repeatsWithin(periodMs: number): (call: PastCall) => boolean {
  let period = 0
  let before = new Map<string, number>()
  let now = new Map<string, number>()
  return ({ phone, atMs }) => {
    const its = Math.floor(atMs / periodMs)
    if (its > period) {
      before = its === period + 1 ? now : new Map()
      now = new Map()
      period = its
    }
    const lastMs = now.get(phone) ?? before.get(phone) ?? Number.NEGATIVE_INFINITY
    now.set(phone, atMs)
    return atMs - lastMs < periodMs
  }
}

function addCall(
  minutes: Map<number, Minute>,
  minute: number,
  scope: string,
  { isSucceeded }: PastCall,
  isRepeat: boolean,
): void {
  const counts = minutes.get(minute) ?? new Map<string, CallCounts>()
  minutes.set(minute, counts)
  const { calls, answered, repeats } = counts.get(scope) ?? newBreaker.baseline
  counts.set(scope, {
    calls: calls + 1,
    answered: answered + (isSucceeded ? 1 : 0),
    repeats: repeats + (isRepeat ? 1 : 0),
  })
}

// From the first minute up to the last, which is not included.
function sumOf(minutes: ReadonlyMap<number, Minute>, first: number, end: number): Minute {
  const sums: Minute = new Map()
  for (let minute = first; minute < end; minute++) {
    for (const [scope, counts] of minutes.get(minute) ?? []) {
      const known = sums.get(scope) ?? newBreaker.baseline
      sums.set(scope, {
        calls: known.calls + counts.calls,
        answered: known.answered + counts.answered,
        repeats: known.repeats + counts.repeats,
      })
    }
  }
  return sums
}
