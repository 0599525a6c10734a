// The rules that a call start meets, for a person who tests them: which one refused it, which ones it had passed by then, and
// which settings of the service lift the refusal.

import { errorSettings } from '@ringproof/contract/error-settings.ts'
import type { RefusalName } from '@ringproof/contract/errors.ts'
import type { ruleStates } from '@ringproof/contract/lists/calls.ts'
import { uncallableReasons } from '@ringproof/contract/phone-faults.ts'
import { type SettingName, type StartRule, startRules } from '@ringproof/contract/web/setting-names.ts'
import type { Refusal } from '../../process/errors.ts'

type RuleState = (typeof ruleStates)[number]
export type CheckedRule = { readonly rule: StartRule; readonly state: RuleState }

type Checked = {
  readonly refusal: Refusal | undefined
  // Only these rules hold for test numbers and test services.
  readonly isTest: boolean
  // Whether the database of the account also keeps the limits of the number.
  readonly isLocalNumber: boolean
  readonly isAddressTested: boolean
}

const testRules: ReadonlySet<StartRule> = new Set(['service', 'address', 'account', 'number', 'mode'])

// If two databases decide, the number's is asked first.
const orderOverShards: readonly StartRule[] = [
  ...startRules.filter((rule) => !['caps', 'money', 'number-limits'].includes(rule)),
  'number-limits',
  'caps',
  'money',
]

const ruleOfRefusal: Readonly<Partial<Record<RefusalName, StartRule>>> = {
  accountBlocked: 'service',
  serviceArchived: 'service',
  serviceOff: 'service',
  addressNotAllowed: 'address',
  phoneNotVerified: 'account',
  invalidPhone: 'number',
  countryNotAllowed: 'country',
  modeSwitchedOff: 'mode',
  modeNotAvailable: 'mode',
  callsStopped: 'hours',
  quietHours: 'hours',
  prefixPaused: 'hours',
  prefixCapReachedByAll: 'hours',
  phoneOptedOut: 'opt-out',
  capReached: 'caps',
  prefixCapReached: 'caps',
  insufficientFunds: 'money',
  numberCooldown: 'number-limits',
  numberLimitReached: 'number-limits',
}

export function checkedRules({ refusal, isTest, isLocalNumber, isAddressTested }: Checked): readonly CheckedRule[] {
  const order = isLocalNumber ? startRules : orderOverShards
  const rules = order.filter((rule) => !isTest || testRules.has(rule))
  // What is left is the installation's: no trunk, no caller number, no price.
  const refusedAt = refusal ? rules.indexOf(ruleOfRefusal[refusal.refusal] ?? 'route') : rules.length
  return rules.map((rule, at) => ({
    rule,
    state:
      at === refusedAt
        ? 'refused'
        : at > refusedAt
          ? 'not-reached'
          : rule === 'address' && !isAddressTested
            ? 'not-tested'
            : 'passed',
  }))
}

const settingOfDecision: Readonly<Record<string, readonly SettingName[]>> = {
  'cap-hour': ['verifications-hour-max'],
  'cap-day': ['verifications-day-max'],
  'cap-spend': ['spend-day-max'],
  'used-up-10-minutes': ['calls-per-number-10-minutes'],
  'used-up-day': ['calls-per-number-day'],
  // Over all services: it protects the person.
  'used-up-all': [],
}

// The decision of the database, if it came to one, names the setting more exactly.
export function settingsThatLift(refusal: Refusal, decision: string | undefined): readonly SettingName[] {
  const exact = decision === undefined ? undefined : settingOfDecision[decision]
  if (exact) return exact
  if (refusal.values['reason'] === uncallableReasons.testNumbersOff) return ['test-numbers']
  return errorSettings[refusal.refusal] ?? []
}
