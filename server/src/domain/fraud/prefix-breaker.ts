// The breaker of a prefix, or of a whole country: it stops calls to where they do not get through any more. Calls that are
// pumped to numbers nobody answers, and a range whose carrier is broken, both look like that.
//
//   closed      calls go out. The last minutes (the window) are compared with what is usual there (the baseline). When the
//               window is surely worse, → open; otherwise it flows into the baseline, which forgets half of itself in a day.
//   open        calls are refused for the cooldown, → half-open after it.
//   half-open   each process lets a few calls through. Once enough of them have ended: as good as usual → closed, else → open
//               with twice the cooldown, up to four hours. Too few ended within a cooldown: a few more are let through. No call
//               in a day: → closed.
//
// Worse means: far fewer answered than usual, or far more of them repeated to one number, and too many calls to be randomBytes
// (Wilson's interval at three standard deviations). A window that is worse never becomes part of the baseline. A prefix that
// has hardly been called is compared with its country. Failures of our own or of a trunk are no calls here.
//
// Answered is what the contract calls made: the phone rang, or the code was spoken.

export type CallCounts = { readonly calls: number; readonly answered: number; readonly repeats: number }

export type Breaker = {
  readonly phase: 'closed' | 'open' | 'half-open'
  readonly sinceMs: number
  readonly cooldownMs: number
  // Decayed counts, not whole.
  readonly baseline: CallCounts
}

export type Usual = { readonly answered: number; readonly repeated: number }

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
// The window must be over before an open breaker closes, so that only probes are in it then.
export const windowMinutes = 8
const cooldownMsFirst = 10 * minuteMs
const cooldownMsMax = 240 * minuteMs
export const probesMax = 10
const probesEnough = 5
const decayAMinute = 0.5 ** (1 / 1_440)
// As many calls of the country stand in for what a prefix lacks of its own.
const priorCalls = 20
const deviations = 3

export const prefixCallsMin = 20
export const countryCallsMin = 200
// A country that has seen fewer says nothing about what is usual.
const baselineCallsMin = 100

export const newBreaker: Breaker = {
  phase: 'closed',
  sinceMs: 0,
  cooldownMs: cooldownMsFirst,
  baseline: { calls: 0, answered: 0, repeats: 0 },
}

// Once a minute. Durations are multiplied by the scale.
export function stepBreaker(
  breaker: Breaker,
  window: CallCounts,
  { usual, callsMin, nowMs, scale }: { usual: Usual | undefined; callsMin: number; nowMs: number; scale: number },
): Breaker {
  const { phase, sinceMs, cooldownMs } = breaker
  const sinceLongMs = (nowMs - sinceMs) / scale
  if (phase === 'open') return sinceLongMs < cooldownMs ? breaker : { ...breaker, phase: 'half-open', sinceMs: nowMs }
  if (phase === 'half-open') {
    if (window.calls < probesEnough) {
      if (window.calls === 0 && sinceLongMs >= dayMs) return closed(breaker, nowMs)
      return sinceLongMs < cooldownMs || sinceLongMs >= dayMs ? breaker : { ...breaker, sinceMs: nowMs }
    }
    if (!usual || isAsUsual(window, usual)) return closed(breaker, nowMs)
    return { ...breaker, phase: 'open', sinceMs: nowMs, cooldownMs: Math.min(cooldownMs * 2, cooldownMsMax) }
  }
  if (usual && window.calls >= callsMin && isSurelyWorse(window, usual)) {
    return { ...breaker, phase: 'open', sinceMs: nowMs, cooldownMs: cooldownMsFirst }
  }
  return { ...breaker, baseline: withWindow(breaker.baseline, window) }
}

// What is usual for a country; undefined while too little is known.
export function usualOfCountry({ calls, answered, repeats }: CallCounts): Usual | undefined {
  return calls < baselineCallsMin ? undefined : { answered: answered / calls, repeated: repeats / calls }
}

// What is usual for a prefix: its own past, filled up with its country's.
export function usualOfPrefix({ calls, answered, repeats }: CallCounts, country: Usual | undefined): Usual | undefined {
  if (!country) return usualOfCountry({ calls, answered, repeats })
  const share = (own: number, usual: number) => (own + usual * priorCalls) / (calls + priorCalls)
  return { answered: share(answered, country.answered), repeated: share(repeats, country.repeated) }
}

function closed(breaker: Breaker, nowMs: number): Breaker {
  return { ...breaker, phase: 'closed', sinceMs: nowMs, cooldownMs: cooldownMsFirst }
}

function isSurelyWorse({ calls, answered, repeats }: CallCounts, usual: Usual): boolean {
  return wilson(answered, calls).upper < usual.answered / 2 || wilson(repeats, calls).lower > tooRepeated(usual)
}

function isAsUsual({ calls, answered, repeats }: CallCounts, usual: Usual): boolean {
  return answered / calls >= usual.answered / 2 && repeats / calls <= tooRepeated(usual)
}

function tooRepeated({ repeated }: Usual): number {
  return Math.max(repeated * 2, repeated + 0.2)
}

// Each minute is in as many windows as they have minutes, so that each adds its share.
function withWindow(baseline: CallCounts, window: CallCounts): CallCounts {
  const add = (before: number, now: number) => before * decayAMinute + now / windowMinutes
  return {
    calls: add(baseline.calls, window.calls),
    answered: add(baseline.answered, window.answered),
    repeats: add(baseline.repeats, window.repeats),
  }
}

// Between which shares the true one surely is.
function wilson(hits: number, of: number): { readonly lower: number; readonly upper: number } {
  const share = hits / of
  const z2 = deviations ** 2
  const middle = share + z2 / (2 * of)
  const reach = deviations * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of ** 2))
  return { lower: (middle - reach) / (1 + z2 / of), upper: (middle + reach) / (1 + z2 / of) }
}
