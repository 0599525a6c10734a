// What is refused before the database is asked, to keep money and people safe: the kill switch, breakers and caps of
// prefixes, quiet hours. Everything is read from memory. Test numbers are exempt.

import type { RoutingTable } from '../db/routing-table.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import { parseQuietHours, quietForMs } from '../domain/accounts/quiet-hours.ts'
import type { NumberPrefix } from '../domain/numbers/number-prefix.ts'
import { zonesOf } from '../domain/numbers/number-zone.ts'
import type { NumberingIndex } from '../domain/numbers/numbering-index.ts'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import { Refusal } from '../errors.ts'

type Wanted = {
  readonly phone: PhoneNumber
  readonly prefix: NumberPrefix
  readonly country: string
  readonly index: NumberingIndex
}

// An operator decides when calls start again; until then nobody needs to ask often.
const stoppedRetrySeconds = 30

export function refuseFraud(table: RoutingTable, apiClient: ApiClient, wanted: Wanted): void {
  if (table.stop) throw new Refusal('callsStopped', {}, stoppedRetrySeconds)
  refuseQuietHours(table, apiClient, wanted)
  const refused = table.prefixRefusal(wanted.prefix, wanted.country)
  if (refused) throw new Refusal(refused.refusal, {}, Math.ceil(refused.retryAfterMs / 1_000))
}

function refuseQuietHours({ readAt }: RoutingTable, apiClient: ApiClient, { phone, country, index }: Wanted): void {
  const quiet = apiClient.quietHours === '' ? undefined : parseQuietHours(apiClient.quietHours)
  if (!quiet) return
  const zones = zonesOf(phone, country, index)
  const leftMs = quietForMs(quiet, zones.length === 0 ? [apiClient.timeZone] : zones, readAt.getTime())
  if (leftMs === undefined) return
  const [from = '', until = ''] = apiClient.quietHours.split('-')
  throw new Refusal('quietHours', { from, until }, Math.ceil(leftMs / 1_000))
}
