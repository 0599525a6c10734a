// Decides in memory, for every call, whether a prefix may be called now, by the state last read from the database. Each
// process lets a few calls through a half-open breaker; the count restarts each time the breaker becomes half-open.

import type { NumberPrefix } from '../numbers/number-prefix.ts'
import { type Breaker, probesMax } from './prefix-breaker.ts'

// A country such as 'RU', or the digits of a prefix's digest.
export type BreakerScope = string

export type PrefixState = {
  readonly breakers: readonly (Pick<Breaker, 'phase' | 'sinceMs' | 'cooldownMs'> & { readonly scope: BreakerScope })[]
  // Prefixes over the hourly cap of all services, until the hour ends.
  readonly full: readonly { readonly prefix: NumberPrefix; readonly untilMs: number }[]
  readonly nowMs: number
}

export type PrefixRefusal = {
  readonly refusal: 'prefixPaused' | 'prefixCapReachedByAll'
  readonly retryAfterMs: number
}

export type PrefixGate = {
  readonly load: (state: PrefixState) => void
  // Undefined if it may be called; then a probe is used up.
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
    const current = known?.sinceMs === sinceMs ? known : { sinceMs, left: probesMax }
    probes.set(scope, current)
    current.left -= 1
    return current.left < 0 ? halfOpenRetryMs * timeScale : undefined
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
