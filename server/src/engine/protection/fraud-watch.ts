// Watches calls per number prefix. Every second it finds the prefixes above the hourly cap over all services; every minute
// it steps each breaker by the last minutes. Any number of keepers may run it: each database sums a minute once, and the
// minute is stepBreakers once over all databases.

import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  beginMinute,
  forgetFullPrefixes,
  type PrefixWindow,
  readBreakers,
  readPrefixState,
  readPrefixSums,
  readWindows,
  rollUpPrefixes,
  writeBreakers,
  writeFullPrefixes,
} from '../../db/protection/prefix-breaker.ts'
import type { NumberPrefix } from '../../domain/numbers/number-prefix.ts'
import { isPrefixFull, limitsInForce } from '../../domain/protection/fraud-limits.ts'
import {
  type Breaker,
  breakerCallsMin,
  type CallCounts,
  countryFactor,
  newBreaker,
  stepBreaker,
  usualOfCountry,
  usualOfPrefix,
  windowMinutes,
} from '../../domain/protection/prefix-breaker.ts'
import type { BreakerScope } from '../../domain/protection/prefix-gate.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'

type FraudWatchDeps = {
  readonly slots: SlotMap
  readonly timeScale: number
  // Of the configuration, until an operator sets another limit.
  readonly prefixHourMax: number | undefined
  readonly clock: Clock
  readonly log: Logger
}

const roundMs = 1_000

export function startFraudWatch(deps: FraudWatchDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const step = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => deps.log.warn({ err: error }, 'fraud watch failed'))
  }
  const watching = (async () => {
    while (!closing.signal.aborted) {
      await step(() => watchSums(deps))
      await step(() => evaluateMinute(deps))
      await deps.clock.pause(roundMs, closing.signal)
    }
  })()
  return {
    close: async () => {
      closing.abort()
      await watching
    },
  }
}

// A prefix above the cap in total is above an equal share of the cap in at least one database.
async function watchSums({ slots, prefixHourMax }: FraudWatchDeps): Promise<void> {
  const { databases, globalDatabase } = slots
  const { limits } = await readPrefixState(globalDatabase)
  const callsMax = limitsInForce(limits, prefixHourMax)['prefix-cap-all']
  await forgetFullPrefixes(globalDatabase)
  if (callsMax === null) return
  const share = Math.ceil(callsMax / databases.length)
  const suspects = await Promise.all(databases.map((database) => readPrefixSums(database, share, [])))
  const prefixes = [...new Set(suspects.flat().map(({ prefix }) => prefix))]
  if (prefixes.length === 0) return
  const sums = await Promise.all(databases.map((database) => readPrefixSums(database, callsMax, prefixes)))
  const byPrefix = Map.groupBy(sums.flat(), ({ prefix }) => prefix)
  const full = [...byPrefix.values()].flatMap(([first, ...rest]) => {
    if (!first) return []
    const calls = rest.reduce((sum, each) => sum + each.calls, first.calls)
    return isPrefixFull(calls, callsMax) ? [{ ...first, calls }] : []
  })
  if (full.length > 0) await writeFullPrefixes(globalDatabase, full)
}

async function evaluateMinute({ slots, timeScale, prefixHourMax, log }: FraudWatchDeps): Promise<void> {
  const { databases, globalDatabase } = slots
  await Promise.all(databases.map((database) => rollUpPrefixes(database, timeScale)))
  const nowMs = await beginMinute(globalDatabase, timeScale)
  if (nowMs === undefined) return
  const open = await readBreakers(globalDatabase, [])
  const watched = [...open.keys()].filter((scope) => /^\d+$/.test(scope)).map((scope) => Number(scope) as NumberPrefix)
  const { limits, allowed } = await readPrefixState(globalDatabase)
  // A rule that is off opens no breaker, but keeps what is usual up to date.
  const callsMin = limitsInForce(limits, prefixHourMax).breaker ?? Number.POSITIVE_INFINITY
  const share = Number.isFinite(callsMin) ? Math.ceil(callsMin / databases.length) : breakerCallsMin
  const windows = await Promise.all(
    databases.map((database) => readWindows(database, windowMinutes, share, watched, timeScale)),
  )
  const scopes = windowsByScope(windows.flat())
  await inTransaction(globalDatabase, async (session) => {
    const before = await readBreakers(session, [...scopes.keys()])
    const unblocked = new Set(allowed.map(({ scope }) => scope))
    const after = stepBreakers(scopes, before, { allowed: unblocked, callsMin, nowMs, scale: timeScale })
    await writeBreakers(session, after)
    for (const [scope, { phase }] of after) {
      const was = before.get(scope)?.phase ?? 'closed'
      if (was === phase) continue
      const { calls, answered, repeats } = scopes.get(scope)?.counts ?? {}
      log.warn({ scope, phase, was, calls, answered, repeats }, 'breaker changed')
    }
  })
}

type Scope = { readonly country: string; readonly isCountry: boolean; readonly counts: CallCounts }

// Sums over all databases; the key is the country, or the digits of the prefix.
function windowsByScope(windows: readonly PrefixWindow[]): ReadonlyMap<BreakerScope, Scope> {
  const scopes = new Map<BreakerScope, Scope>()
  for (const { country, prefix, calls, answered, repeats } of windows) {
    const key = prefix === null ? country : String(prefix)
    const known = scopes.get(key)?.counts ?? newBreaker.baseline
    const counts = {
      calls: known.calls + calls,
      answered: known.answered + answered,
      repeats: known.repeats + repeats,
    }
    scopes.set(key, { country, isCountry: prefix === null, counts })
  }
  return scopes
}

type Stepping = {
  readonly allowed: ReadonlySet<BreakerScope>
  readonly callsMin: number
  readonly nowMs: number
  readonly scale: number
}

// Steps the breakers with calls in their window, and those that are not closed, which may have no calls. What an operator has
// allowed is left as it is: its calls are neither refused nor taken for usual.
function stepBreakers(
  scopes: ReadonlyMap<BreakerScope, Scope>,
  before: ReadonlyMap<BreakerScope, Breaker>,
  { allowed, callsMin: prefixCallsMin, nowMs, scale }: Stepping,
): ReadonlyMap<BreakerScope, Breaker> {
  const after = new Map<BreakerScope, Breaker>()
  for (const key of new Set([...scopes.keys(), ...before.keys()])) {
    if (allowed.has(key)) continue
    const breaker = before.get(key) ?? newBreaker
    const { country = '', isCountry = !/^\d+$/.test(key), counts = newBreaker.baseline } = scopes.get(key) ?? {}
    const ofCountry = usualOfCountry((before.get(isCountry ? key : country) ?? newBreaker).baseline)
    const usual = isCountry ? ofCountry : usualOfPrefix(breaker.baseline, ofCountry)
    const callsMin = prefixCallsMin * (isCountry ? countryFactor : 1)
    after.set(key, stepBreaker(breaker, counts, { usual, callsMin, nowMs, scale }))
  }
  return after
}
