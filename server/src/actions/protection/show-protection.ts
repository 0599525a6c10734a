// Protection as it is now: the rules with their limits and hits, what is blocked and what is let through, and the kill switch.

import { fraudRules } from '@ringproof/contract/lists/protection.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AllowedPrefix, readAllowedPrefixes } from '../../db/protection/allowed-prefix.ts'
import { type RuleHits, readCappedPrefixes, readRuleHits } from '../../db/protection/fraud-hit.ts'
import { countOptOuts } from '../../db/protection/opt-out.ts'
import { readBlockedScopes, readPrefixState } from '../../db/protection/prefix-breaker.ts'
import { readTrunkStop, type TrunkStop } from '../../db/protection/trunk-stop.ts'
import type { ServiceId } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import {
  type FraudLimits,
  type FraudRule,
  type LimitedRule,
  levelOf,
  limitsInForce,
  lowestCap,
  type ProtectionLevel,
} from '../../domain/protection/fraud-limits.ts'
import type { BreakerScope } from '../../domain/protection/prefix-gate.ts'
import { namePrefixes } from './prefixes.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly prefixHourMax: number | undefined
  readonly timeScale: number
}

export type BlockedPrefix = {
  readonly scope: BreakerScope
  // The number without its last four digits; undefined for a country, or if no call was refused yet.
  readonly prefix: string | undefined
  readonly rule: LimitedRule
  // Undefined: for all services.
  readonly serviceId: ServiceId | undefined
  // The cap that the service has set for itself, if that is the one that refuses.
  readonly ownMax: number | undefined
  readonly since: Date
  // Undefined: a few calls are let through to see whether they ring.
  readonly until: Date | undefined
}

type Protection = {
  readonly stop: TrunkStop | undefined
  readonly limits: FraudLimits
  // Undefined: the limits are those of no level.
  readonly level: ProtectionLevel | undefined
  // Whether an operator has set a limit; otherwise the configuration holds.
  readonly isSet: boolean
  readonly rules: readonly RuleCount[]
  readonly blocked: readonly BlockedPrefix[]
  readonly allowed: readonly (Omit<AllowedPrefix, 'prefixSealed'> & { readonly prefix: string | undefined })[]
  readonly optOuts: number
}

type RuleCount = Omit<RuleHits, 'lastAt'> & { readonly lastAt: Date | undefined }

const listMax = 200
export const optOutsCounted = 100_000

export async function showProtection(deps: Deps): Promise<Protection> {
  const { slots, recordKeys } = deps
  const { globalDatabase, databases } = slots
  const [stop, state, allowed, hits, optOuts] = await Promise.all([
    readTrunkStop(globalDatabase),
    readPrefixState(globalDatabase),
    readAllowedPrefixes(globalDatabase, listMax),
    Promise.all(databases.map((database) => readRuleHits(database))),
    Promise.all(databases.map((database) => countOptOuts(database, optOutsCounted))),
  ])
  const limits = limitsInForce(state.limits, deps.prefixHourMax)
  const isAllowed = new Set(allowed.map(({ scope }) => scope))
  const blocked = await readBlocked(deps, limits)
  return {
    stop,
    limits,
    level: levelOf(limits),
    isSet: Object.keys(state.limits).length > 0,
    rules: fraudRules.map((rule) => sumHits(rule, hits.flat())),
    blocked: blocked.filter(({ scope, ownMax }) => ownMax !== undefined || !isAllowed.has(scope)),
    allowed: allowed.map(({ prefixSealed, ...entry }) => ({
      ...entry,
      prefix:
        prefixSealed === null ? undefined : unseal(recordKeys, 'allowed-prefix', Number(entry.scope), prefixSealed),
    })),
    optOuts: optOuts.reduce((sum, count) => sum + count, 0),
  }
}

async function readBlocked(deps: Deps, limits: FraudLimits): Promise<readonly BlockedPrefix[]> {
  const { slots, timeScale } = deps
  const [scopes, capped] = await Promise.all([
    readBlockedScopes(slots.globalDatabase, timeScale, listMax),
    Promise.all(slots.databases.map((database) => readCappedPrefixes(database, listMax))),
  ])
  const cap = lowestCap(limits['prefix-cap'], limits['prefix-cap-all'])
  const found = [
    ...scopes
      .filter(({ rule }) => limits[rule] !== null)
      .map((one) => ({ ...one, serviceId: undefined, ownMax: undefined })),
    ...capped.flat().map(({ prefix, ownMax, ...one }) => ({
      ...one,
      scope: String(prefix),
      rule: 'prefix-cap' as const,
      ownMax: ownMax !== null && (cap === undefined || ownMax <= cap) ? ownMax : undefined,
    })),
  ]
  const names = await namePrefixes(
    deps,
    found.map(({ scope }) => scope),
  )
  return found
    .toSorted((a, b) => b.since.getTime() - a.since.getTime())
    .slice(0, listMax)
    .map((one) => ({ ...one, prefix: names.get(one.scope), until: one.until ?? undefined }))
}

function sumHits(rule: FraudRule, hits: readonly RuleHits[]): RuleCount {
  const own = hits.filter((one) => one.rule === rule)
  const [lastAt] = own.map((one) => one.lastAt).toSorted((a, b) => b.getTime() - a.getTime())
  return {
    rule,
    hitsDay: own.reduce((sum, one) => sum + one.hitsDay, 0),
    hitsWeek: own.reduce((sum, one) => sum + one.hitsWeek, 0),
    lastAt,
  }
}
