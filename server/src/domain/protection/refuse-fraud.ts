// Fraud and harassment rules that need no database: the kill switch, quiet hours, and the breakers and caps of prefixes. All
// of them are evaluated from memory. Test numbers are exempt.

import { Refusal, unavailable } from '../../process/errors.ts'
import type { ApiClient } from '../accounts/api-client.ts'
import { parseQuietHours, quietForMs } from '../accounts/quiet-hours.ts'
import type { NumberPrefix } from '../numbers/number-prefix.ts'
import { zonesOf } from '../numbers/number-zone.ts'
import type { NumberingIndex } from '../numbers/numbering-index.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import type { PrefixGate } from './prefix-gate.ts'

export type FraudRules = {
  // Set while the operator has stopped all trunks.
  readonly stop: object | undefined
  readonly prefixRefusal: PrefixGate['refusalOf']
  readonly prefixCap: PrefixGate['capOf']
  readonly readAt: Date
}

type FraudCheck = {
  readonly rules: FraudRules
  readonly apiClient: Pick<ApiClient, 'quietHours' | 'timeZone'>
  readonly phone: PhoneNumber
  readonly prefix: NumberPrefix
  readonly country: string
  readonly index: NumberingIndex
}

export function refuseFraud(check: FraudCheck): void {
  const { rules, prefix, country } = check
  if (rules.stop) throw unavailable('calls_stopped')
  refuseQuietHours(check)
  const refused = rules.prefixRefusal(prefix, country)
  if (refused) throw new Refusal(refused.refusal, {}, Math.ceil(refused.retryAfterMs / 1_000))
}

function refuseQuietHours({ rules, apiClient, phone, country, index }: FraudCheck): void {
  const quiet = apiClient.quietHours === '' ? undefined : parseQuietHours(apiClient.quietHours)
  if (!quiet) return
  const zones = zonesOf(phone, country, index)
  const leftMs = quietForMs(quiet, zones.length === 0 ? [apiClient.timeZone] : zones, rules.readAt.getTime())
  if (leftMs === undefined) return
  const [from = '', until = ''] = apiClient.quietHours.split('-')
  throw new Refusal('quietHours', { from, until }, Math.ceil(leftMs / 1_000))
}
