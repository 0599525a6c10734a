// Decides in memory, for every call, whether a prefix may be called now, by the state last read from the database. Each
// process lets a few calls through a half-open breaker; the count restarts each time the breaker becomes half-open.

import type { NumberPrefix } from '../numbers/number-prefix.ts'
import { limitsInForce, lowestCap, type StoredLimits } from './fraud-limits.ts'
import { type Breaker, probesMax } from './prefix-breaker.ts'

// A country such as 'RU', or the digits of a prefix's digest.
export type BreakerScope = string

export type PrefixState = {
  readonly breakers: readonly (Pick<Breaker, 'phase' | 'sinceMs' | 'cooldownMs'> & { readonly scope: BreakerScope })[]
  // Prefixes over the hourly cap of all services, until the hour ends.
  readonly full: readonly { readonly prefix: NumberPrefix; readonly untilMs: number }[]
  // Prefixes and countries that an operator has unblocked; null: for good.
  readonly allowed: readonly { readonly scope: BreakerScope; readonly untilMs: number | null }[]
  readonly limits: StoredLimits
  readonly nowMs: number
}

type PrefixRefusal = {
  readonly refusal: 'prefixPaused' | 'prefixCapReachedByAll'
  readonly retryAfterMs: number
}

export type PrefixGate = {
  readonly load: (state: PrefixState) => void
  // Undefined if it may be called; then a probe is used up.
  readonly refusalOf: (prefix: NumberPrefix, country: string) => PrefixRefusal | undefined
  // Calls that one service may make to the prefix in a clock hour, by the rules of the installation. Given is the cap of the
  // configuration.
  readonly capOf: (prefix: NumberPrefix, prefixHourMax: number | undefined) => number | undefined
}

const halfOpenRetryMs = 60_000

export function createPrefixGate(timeScale: number): PrefixGate {
  let nowMs = 0
  let breakers = new Map<BreakerScope, PrefixState['breakers'][number]>()
  let full = new Map<NumberPrefix, number>()
  let allowed = new Map<BreakerScope, number | null>()
  let limits: StoredLimits = {}
  const probes = new Map<BreakerScope, { readonly sinceMs: number; left: number }>()
  const isAllowed = (scope: BreakerScope): boolean => {
    const untilMs = allowed.get(scope)
    return untilMs === null || (untilMs ?? 0) > nowMs
  }
  const pausedFor = (scope: BreakerScope): number | undefined => {
    const breaker = breakers.get(scope)
    if (!breaker || isAllowed(scope)) return undefined
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
      limits = state.limits
      const isPausing = limits.breaker !== null
      breakers = new Map(isPausing ? state.breakers.map((breaker) => [breaker.scope, breaker]) : [])
      const isCapping = limits['prefix-cap-all'] !== null
      full = new Map(isCapping ? state.full.map(({ prefix, untilMs }) => [prefix, untilMs]) : [])
      allowed = new Map(state.allowed.map(({ scope, untilMs }) => [scope, untilMs]))
      for (const scope of probes.keys()) if (!breakers.has(scope)) probes.delete(scope)
    },
    refusalOf: (prefix, country) => {
      if (isAllowed(String(prefix))) return undefined
      const fullUntilMs = full.get(prefix) ?? 0
      if (fullUntilMs > nowMs) return { refusal: 'prefixCapReachedByAll', retryAfterMs: fullUntilMs - nowMs }
      const pausedMs = pausedFor(country) ?? pausedFor(String(prefix))
      return pausedMs === undefined ? undefined : { refusal: 'prefixPaused', retryAfterMs: Math.max(1_000, pausedMs) }
    },
    capOf: (prefix, prefixHourMax) => {
      if (isAllowed(String(prefix))) return undefined
      const inForce = limitsInForce(limits, prefixHourMax)
      return lowestCap(inForce['prefix-cap'], inForce['prefix-cap-all'])
    },
  }
}
