// Removes numbers from a trunk, for example a range that was added by mistake or went back to the carrier. No call in flight
// is harmed: an accepted call keeps the caller number that it was given, and a removed confirmation number still matches the
// subscribers who were given it.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  forgetConfirmationNumbers,
  lockConfirmationNumbers,
  removeConfirmationNumbers,
} from '../../db/trunks/confirmation-number.ts'
import { deleteCallerRange, insertCallerRange, lockCallerRanges, readCallerRanges } from '../../db/trunks/trunk.ts'
import { withoutNumbers } from '../../domain/trunks/caller-pool.ts'
import { UsageError } from '../../process/errors.ts'
import { returnNumbersIn } from './return-numbers.ts'

type Command = {
  readonly trunk: string
  readonly first: number
  readonly last: number
  // Undefined: both kinds.
  readonly kind?: 'caller' | 'confirmation'
}

export type RemovedNumbers = { readonly callerNumbers: number; readonly confirmationNumbers: number }

export async function removeNumbers(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { trunk, first, last, kind }: Command,
): Promise<RemovedNumbers> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await lockCallerRanges(session)
    await lockConfirmationNumbers(session)
    await forgetConfirmationNumbers(session)
    const owned = kind === 'confirmation' ? [] : await readCallerRanges(session)
    const ranges = owned.filter((range) => range.trunk === trunk && range.first <= last && first <= range.last)
    for (const range of ranges) {
      await deleteCallerRange(session, range)
      for (const rest of withoutNumbers(range, { first, last })) await insertCallerRange(session, rest)
    }
    if (kind !== 'confirmation') await returnNumbersIn(session, { trunk, first, last })
    const removed = {
      callerNumbers: ranges.reduce(
        (sum, range) => sum + Math.min(range.last, last) - Math.max(range.first, first) + 1,
        0,
      ),
      confirmationNumbers: kind === 'caller' ? 0 : await removeConfirmationNumbers(session, trunk, { first, last }),
    }
    if (removed.callerNumbers + removed.confirmationNumbers === 0) {
      throw new UsageError(
        `Trunk ${trunk} has no number from ${first} to ${last}. \`ringproof numbers list\` shows all.`,
      )
    }
    const details = { trunk, first, last, ...removed }
    await logAction(session, actor, { accountId: null, action: 'numbers removed', details })
    return removed
  })
}
