// Limits of the rules over ranges of numbers that an operator sets for the whole installation, rule by rule or all at once by a
// level. The unit is a call:
//
//   prefix-cap       of one service to one range in a clock hour; a lower cap of the service itself holds
//   prefix-cap-all   of all services together to one range in a clock hour; one service never exceeds it either
//   breaker          to one range in the last minutes, from which on it is compared with its usual rates

import type { RefusalName } from '@ringproof/contract/errors.ts'
import { type fraudRules, limitedRules, protectionLevels } from '@ringproof/contract/lists/protection.ts'
import { breakerCallsMin } from './prefix-breaker.ts'

export type LimitedRule = (typeof limitedRules)[number]

// Null: the rule is off.
export type FraudLimits = Readonly<Record<LimitedRule, number | null>>

// Those that an operator has set.
export type StoredLimits = Partial<FraudLimits>

export const limitMax = 1_000_000_000

export type ProtectionLevel = (typeof protectionLevels)[number]

export const limitsOfLevel: Readonly<Record<ProtectionLevel, FraudLimits>> = {
  basic: { 'prefix-cap': 200, 'prefix-cap-all': 1_000, breaker: 40 },
  standard: { 'prefix-cap': 50, 'prefix-cap-all': 200, breaker: breakerCallsMin },
  max: { 'prefix-cap': 20, 'prefix-cap-all': 60, breaker: 10 },
}

// What holds: what an operator has set, else the configuration.
export function limitsInForce(stored: StoredLimits, prefixHourMax: number | undefined): FraudLimits {
  return { 'prefix-cap': null, 'prefix-cap-all': prefixHourMax ?? null, breaker: breakerCallsMin, ...stored }
}

// Undefined if the limits are those of no level.
export function levelOf(limits: FraudLimits): ProtectionLevel | undefined {
  return protectionLevels.find((level) => limitedRules.every((rule) => limitsOfLevel[level][rule] === limits[rule]))
}

// Whether so many calls in the hour leave no room for another one. accept_calls states the same for one service.
export function isPrefixFull(calls: number, callsMax: number): boolean {
  return calls >= callsMax
}

// The cap of one service for one range. Null and undefined: none.
export function lowestCap(...caps: readonly (number | null | undefined)[]): number | undefined {
  const set = caps.filter((cap) => cap !== null && cap !== undefined)
  return set.length === 0 ? undefined : Math.min(...set)
}

// Refusals that protect against fraud and harassment, with their rule. They are counted, logged and listed.

export type FraudRule = (typeof fraudRules)[number]

const ruleOfRefusal: Partial<Record<RefusalName, FraudRule>> = {
  callsStopped: 'kill-switch',
  phoneOptedOut: 'opt-out',
  capReached: 'service-cap',
  prefixCapReached: 'prefix-cap',
  prefixCapReachedByAll: 'prefix-cap-all',
  prefixPaused: 'breaker',
  quietHours: 'quiet-hours',
}

export function fraudRuleOf(refusal: RefusalName): FraudRule | undefined {
  return ruleOfRefusal[refusal]
}
