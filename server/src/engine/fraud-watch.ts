// Watches calls per number prefix. Every second it finds the prefixes above the hourly cap over all services; every minute
// it steps each breaker by the last minutes. Any number of keepers may run it: each database sums a minute once, and the
// minute is stepBreakers once over all databases.

import type { Clock } from '../clock.ts'
import { inTransaction } from '../db/database.ts'
import {
  beginMinute,
  forgetFullPrefixes,
  type PrefixWindow,
  readBreakers,
  readPrefixSums,
  readWindows,
  rollUpPrefixes,
  writeBreakers,
  writeFullPrefixes,
} from '../db/prefix-breaker.ts'
import type { SlotMap } from '../db/slot-map.ts'
import {
  type Breaker,
  type CallCounts,
  countryCallsMin,
  newBreaker,
  prefixCallsMin,
  stepBreaker,
  usualOfCountry,
  usualOfPrefix,
  windowMinutes,
} from '../domain/fraud/prefix-breaker.ts'
import type { BreakerScope } from '../domain/fraud/prefix-gate.ts'
import type { NumberPrefix } from '../domain/numbers/number-prefix.ts'
import type { Logger } from '../log.ts'

export type FraudWatchDeps = {
  readonly slots: SlotMap
  readonly timeScale: number
  readonly prefixHourMax: number | undefined
  readonly clock: Clock
  readonly log: Logger
}

const roundMs = 1_000
// In real time: spares the database when timeScale is small.
const roundMsMin = 200

export function startFraudWatch(deps: FraudWatchDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const step = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => deps.log.warn({ err: error }, 'fraud watch failed'))
  }
  const watching = (async () => {
    while (!closing.signal.aborted) {
      await step(() => watchSums(deps))
      await step(() => evaluateMinute(deps))
      await deps.clock.sleep(Math.max(roundMs, roundMsMin / deps.timeScale), closing.signal)
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
  if (prefixHourMax === undefined) return
  await forgetFullPrefixes(globalDatabase)
  const share = Math.ceil(prefixHourMax / databases.length)
  const suspects = await Promise.all(databases.map((database) => readPrefixSums(database, share, [])))
  const prefixes = [...new Set(suspects.flat().map(({ prefix }) => prefix))]
  if (prefixes.length === 0) return
  const sums = await Promise.all(databases.map((database) => readPrefixSums(database, prefixHourMax, prefixes)))
  const byPrefix = Map.groupBy(sums.flat(), ({ prefix }) => prefix)
  const full = [...byPrefix.values()].flatMap(([first, ...rest]) => {
    if (!first) return []
    const calls = rest.reduce((sum, each) => sum + each.calls, first.calls)
    return calls >= prefixHourMax ? [{ ...first, calls }] : []
  })
  if (full.length > 0) await writeFullPrefixes(globalDatabase, full)
}

async function evaluateMinute({ slots, timeScale, log }: FraudWatchDeps): Promise<void> {
  const { databases, globalDatabase } = slots
  await Promise.all(databases.map((database) => rollUpPrefixes(database, timeScale)))
  const nowMs = await beginMinute(globalDatabase, timeScale)
  if (nowMs === undefined) return
  const open = await readBreakers(globalDatabase, [])
  const watched = [...open.keys()].filter((scope) => /^\d+$/.test(scope)).map((scope) => Number(scope) as NumberPrefix)
  const callsMin = Math.ceil(prefixCallsMin / databases.length)
  const windows = await Promise.all(
    databases.map((database) => readWindows(database, windowMinutes, callsMin, watched, timeScale)),
  )
  const scopes = windowsByScope(windows.flat())
  await inTransaction(globalDatabase, async (session) => {
    const before = await readBreakers(session, [...scopes.keys()])
    const after = stepBreakers(scopes, before, nowMs, timeScale)
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

// Steps the breakers with calls in their window, and those that are not closed, which may have no calls.
function stepBreakers(
  scopes: ReadonlyMap<BreakerScope, Scope>,
  before: ReadonlyMap<BreakerScope, Breaker>,
  nowMs: number,
  scale: number,
): ReadonlyMap<BreakerScope, Breaker> {
  const after = new Map<BreakerScope, Breaker>()
  for (const key of new Set([...scopes.keys(), ...before.keys()])) {
    const breaker = before.get(key) ?? newBreaker
    const { country = '', isCountry = !/^\d+$/.test(key), counts = newBreaker.baseline } = scopes.get(key) ?? {}
    const ofCountry = usualOfCountry((before.get(isCountry ? key : country) ?? newBreaker).baseline)
    const usual = isCountry ? ofCountry : usualOfPrefix(breaker.baseline, ofCountry)
    const callsMin = isCountry ? countryCallsMin : prefixCallsMin
    after.set(key, stepBreaker(breaker, counts, { usual, callsMin, nowMs, scale }))
  }
  return after
}
