// The circuit breaker of a prefix, or of a whole country: it stops calls to destinations that stopped completing. Traffic
// pumping to dead numbers and a range whose carrier is broken both look like that.
//
//   closed      Calls go out. The last minutes (the window) are compared with the usual rates (the baseline). If the window
//               is significantly worse → open; otherwise it is added to the baseline, which decays by half in a day.
//   open        Calls are refused for the cooldown, then → half-open.
//   half-open   Each process lets a few calls through. Once enough have ended: as good as usual → closed, else → open with
//               twice the cooldown, up to four hours. Too few ended within a cooldown: a few more are let through. No call
//               in a day → closed.
//
// Worse means far fewer completed than usual, or far more repeats to one number, with enough calls to rule out coincidence
// (Wilson interval at three standard deviations). A worse window is never added to the baseline. A prefix with few calls is
// compared with its country. Failures of ours or of a trunk are not counted as calls.
//
// "Answered" here means a successful verification: the phone rang, or the code was spoken.

import { dayMs, minuteMs } from '../values/time.ts'

export type CallCounts = { readonly calls: number; readonly answered: number; readonly repeats: number }

export const breakerPhases = ['closed', 'open', 'half-open'] as const

export type Breaker = {
  readonly phase: (typeof breakerPhases)[number]
  readonly sinceMs: number
  readonly cooldownMs: number
  // Decayed counts, not integers.
  readonly baseline: CallCounts
}

export type Usual = { readonly answered: number; readonly repeated: number }

// Shorter than the cooldown, so that after it the window contains only probes.
export const windowMinutes = 8
const cooldownMsFirst = 10 * minuteMs
const cooldownMsMax = 240 * minuteMs
export const probesMax = 10
const probesEnough = 5
const decayPerMinute = 0.5 ** (1 / 1_440)
// A prefix's rate is padded with this many calls at its country's rate.
const priorCalls = 20
const deviations = 3

// So many calls to a prefix, unless an operator has set another limit; to a country, ten times as many.
export const breakerCallsMin = 20
export const countryFactor = 10
// With fewer calls a country has no usual rate.
const baselineCallsMin = 100

export const newBreaker: Breaker = {
  phase: 'closed',
  sinceMs: 0,
  cooldownMs: cooldownMsFirst,
  baseline: { calls: 0, answered: 0, repeats: 0 },
}

// Called once a minute. Durations are multiplied by the scale.
export function stepBreaker(
  breaker: Breaker,
  window: CallCounts,
  { usual, callsMin, nowMs, scale }: { usual: Usual | undefined; callsMin: number; nowMs: number; scale: number },
): Breaker {
  const { phase, sinceMs, cooldownMs } = breaker
  const elapsedMs = (nowMs - sinceMs) / scale
  if (phase === 'open') return elapsedMs < cooldownMs ? breaker : { ...breaker, phase: 'half-open', sinceMs: nowMs }
  if (phase === 'half-open') {
    if (window.calls < probesEnough) {
      if (window.calls === 0 && elapsedMs >= dayMs) return closed(breaker, nowMs)
      return elapsedMs < cooldownMs || elapsedMs >= dayMs ? breaker : { ...breaker, sinceMs: nowMs }
    }
    if (!usual || isAsUsual(window, usual)) return closed(breaker, nowMs)
    return { ...breaker, phase: 'open', sinceMs: nowMs, cooldownMs: Math.min(cooldownMs * 2, cooldownMsMax) }
  }
  if (usual && window.calls >= callsMin && isSignificantlyWorse(window, usual)) {
    return { ...breaker, phase: 'open', sinceMs: nowMs, cooldownMs: cooldownMsFirst }
  }
  return { ...breaker, baseline: withWindow(breaker.baseline, window) }
}

// The usual rates of a country; undefined while there are too few calls.
export function usualOfCountry({ calls, answered, repeats }: CallCounts): Usual | undefined {
  return calls < baselineCallsMin ? undefined : { answered: answered / calls, repeated: repeats / calls }
}

// The usual rates of a prefix: its past, padded with its country's.
export function usualOfPrefix({ calls, answered, repeats }: CallCounts, country: Usual | undefined): Usual | undefined {
  if (!country) return usualOfCountry({ calls, answered, repeats })
  const share = (own: number, usual: number) => (own + usual * priorCalls) / (calls + priorCalls)
  return { answered: share(answered, country.answered), repeated: share(repeats, country.repeated) }
}

function closed(breaker: Breaker, nowMs: number): Breaker {
  return { ...breaker, phase: 'closed', sinceMs: nowMs, cooldownMs: cooldownMsFirst }
}

function isSignificantlyWorse({ calls, answered, repeats }: CallCounts, usual: Usual): boolean {
  return wilson(answered, calls).upper < usual.answered / 2 || wilson(repeats, calls).lower > repeatedMax(usual)
}

function isAsUsual({ calls, answered, repeats }: CallCounts, usual: Usual): boolean {
  return answered / calls >= usual.answered / 2 && repeats / calls <= repeatedMax(usual)
}

function repeatedMax({ repeated }: Usual): number {
  return Math.max(repeated * 2, repeated + 0.2)
}

// Each minute is part of windowMinutes windows, so each window adds its share.
function withWindow(baseline: CallCounts, window: CallCounts): CallCounts {
  const add = (before: number, now: number) => before * decayPerMinute + now / windowMinutes
  return {
    calls: add(baseline.calls, window.calls),
    answered: add(baseline.answered, window.answered),
    repeats: add(baseline.repeats, window.repeats),
  }
}

// The confidence interval of a share.
function wilson(hits: number, of: number): { readonly lower: number; readonly upper: number } {
  const share = hits / of
  const z2 = deviations ** 2
  const centre = share + z2 / (2 * of)
  const margin = deviations * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of ** 2))
  return { lower: (centre - margin) / (1 + z2 / of), upper: (centre + margin) / (1 + z2 / of) }
}
