// What is refused before the database is asked, to keep money and people safe: the kill switch, breakers and caps of
// prefixes, quiet hours. Everything is read from memory. Test numbers are exempt.

import type { RoutingTable } from '../db/routing-table.ts'
import type { Caller } from '../domain/caller.ts'
import type { NumberBook } from '../domain/number-book.ts'
import type { NumberPrefix } from '../domain/number-prefix.ts'
import { zonesOf } from '../domain/number-zone.ts'
import type { PhoneNumber } from '../domain/phone-number.ts'
import { parseQuietHours, quietForMs } from '../domain/quiet-hours.ts'
import { Refusal } from '../errors.ts'

type Wanted = {
  readonly phone: PhoneNumber
  readonly prefix: NumberPrefix
  readonly country: string
  readonly book: NumberBook
}

// An operator decides when calls start again; until then nobody needs to ask often.
const stoppedRetrySeconds = 30

export function refuseFraud(table: RoutingTable, caller: Caller, wanted: Wanted): void {
  if (table.stop) throw new Refusal('callsStopped', {}, stoppedRetrySeconds)
  refuseQuietHours(table, caller, wanted)
  const refused = table.prefixRefusal(wanted.prefix, wanted.country)
  if (refused) throw new Refusal(refused.refusal, {}, Math.ceil(refused.retryAfterMs / 1_000))
}

function refuseQuietHours({ readAt }: RoutingTable, caller: Caller, { phone, country, book }: Wanted): void {
  const quiet = caller.quietHours === '' ? undefined : parseQuietHours(caller.quietHours)
  if (!quiet) return
  const zones = zonesOf(phone, country, book)
  const leftMs = quietForMs(quiet, zones.length === 0 ? [caller.timeZone] : zones, readAt.getTime())
  if (leftMs === undefined) return
  const [from = '', until = ''] = caller.quietHours.split('-')
  throw new Refusal('quietHours', { from, until }, Math.ceil(leftMs / 1_000))
}
