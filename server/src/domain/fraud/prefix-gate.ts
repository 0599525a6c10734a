// Whether a prefix may be called now, by what the database said last: asked at every call, from memory alone. Of a half-open
// breaker each process lets a few calls through, counted anew whenever it is half-open since another moment.

import type { NumberPrefix } from '../numbers/number-prefix.ts'
import { type Breaker, probesMax } from './prefix-breaker.ts'

// By 'RU', or by the digits of a prefix's digest.
export type BreakerScope = string

export type PrefixState = {
  readonly breakers: readonly (Pick<Breaker, 'phase' | 'sinceMs' | 'cooldownMs'> & { readonly scope: BreakerScope })[]
  // Those that all services together have called too often, until the hour is over.
  readonly full: readonly { readonly prefix: NumberPrefix; readonly untilMs: number }[]
  readonly nowMs: number
}

export type PrefixRefusal = {
  readonly refusal: 'prefixPaused' | 'prefixCapReachedByAll'
  readonly retryAfterMs: number
}

export type PrefixGate = {
  readonly load: (state: PrefixState) => void
  // Undefined: it may be called, and a probe of it is spent.
  readonly refusalOf: (prefix: NumberPrefix, country: string) => PrefixRefusal | undefined
}

const halfOpenRetryMs = 60_000

export function createPrefixGate(timeScale: number): PrefixGate {
  let nowMs = 0
  let breakers = new Map<BreakerScope, PrefixState['breakers'][number]>()
  let full = new Map<NumberPrefix, number>()
  const probes = new Map<BreakerScope, { readonly sinceMs: number; left: number }>()
  const pausedFor = (scope: BreakerScope): number | undefined => {
    const breaker = breakers.get(scope)
    if (!breaker) return undefined
    const { phase, sinceMs, cooldownMs } = breaker
    if (phase === 'open') return sinceMs + cooldownMs * timeScale - nowMs
    const known = probes.get(scope)
    const own = known?.sinceMs === sinceMs ? known : { sinceMs, left: probesMax }
    probes.set(scope, own)
    own.left -= 1
    return own.left < 0 ? halfOpenRetryMs * timeScale : undefined
  }
  return {
    load: (state) => {
      nowMs = state.nowMs
      breakers = new Map(state.breakers.map((breaker) => [breaker.scope, breaker]))
      full = new Map(state.full.map(({ prefix, untilMs }) => [prefix, untilMs]))
      for (const scope of probes.keys()) if (!breakers.has(scope)) probes.delete(scope)
    },
    refusalOf: (prefix, country) => {
      const fullUntilMs = full.get(prefix) ?? 0
      if (fullUntilMs > nowMs) return { refusal: 'prefixCapReachedByAll', retryAfterMs: fullUntilMs - nowMs }
      const pausedMs = pausedFor(country) ?? pausedFor(String(prefix))
      return pausedMs === undefined ? undefined : { refusal: 'prefixPaused', retryAfterMs: Math.max(1_000, pausedMs) }
    },
  }
}
