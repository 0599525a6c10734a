import { limitedRules } from '@ringproof/contract/lists/protection.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'

type Shown = WebOutput<'protection'>

export type LimitedRule = keyof Shown['limits']
export type Level = Shown['levels'][number]['level']
export type Limits = Shown['limits']

export function limitedRule(rule: string): LimitedRule | undefined {
  return limitedRules.find((one) => one === rule)
}
