// Refusals that protect against fraud and harassment, with their rule. They are counted, logged and listed.

import type { RefusalName } from '@ringproof/contract/errors.ts'
import type { fraudRules } from '@ringproof/contract/lists/protection.ts'

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
