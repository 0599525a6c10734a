// Takes caller numbers of a trunk out of use, for good or for some days, for example because phones show them as spam. Calls that
// were accepted before keep them; every process follows within a second.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import { readDatabaseClock } from '../../db/core/database-clock.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertQuarantine } from '../../db/trunks/caller-number.ts'
import { lockCallerRanges, readCallerRanges } from '../../db/trunks/trunk.ts'
import { numbersIn } from '../../domain/trunks/caller-pool.ts'
import { commonSpans } from '../../domain/trunks/number-spans.ts'
import { dayMs } from '../../domain/values/time.ts'
import { UsageError } from '../../process/errors.ts'
import { returnNumbersIn } from './return-numbers.ts'

type Command = {
  readonly trunk: string
  readonly first: number
  readonly last: number
  readonly reason: string
  // Undefined: until an operator returns them.
  readonly days: number | undefined
}

export async function quarantineNumbers(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { trunk, first, last, reason, days }: Command,
): Promise<{ readonly numbers: number }> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await lockCallerRanges(session)
    const own = (await readCallerRanges(session)).filter((range) => range.trunk === trunk)
    const spans = commonSpans(own, [{ first, last }])
    if (spans.length === 0)
      throw new UsageError(`Trunk ${trunk} has no caller number from ${first} to ${last}. See: ringproof numbers list`)
    await returnNumbersIn(session, { trunk, first, last })
    const { now: since } = await readDatabaseClock(session)
    const until = days === undefined ? null : new Date(since.getTime() + days * dayMs)
    for (const span of spans) await insertQuarantine(session, { trunk, ...span, reason, since, until })
    const numbers = numbersIn(spans)
    const details = { trunk, first, last, numbers, reason, days: days ?? null }
    await logAction(session, actor, { accountId: null, action: 'caller numbers quarantined', details })
    return { numbers }
  })
}
