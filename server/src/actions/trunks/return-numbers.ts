// Caller numbers that were out of use may be shown by calls again.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  deleteQuarantine,
  forgetQuarantines,
  insertQuarantine,
  readQuarantines,
} from '../../db/trunks/caller-number.ts'
import { lockCallerRanges } from '../../db/trunks/trunk.ts'
import { withoutNumbers } from '../../domain/trunks/caller-pool.ts'
import { UsageError } from '../../process/errors.ts'

type Command = { readonly trunk: string; readonly first: number; readonly last: number }

export async function returnNumbers(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { trunk, first, last }: Command,
): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    await lockCallerRanges(session)
    if (!(await returnNumbersIn(session, { trunk, first, last })))
      throw new UsageError(`No number of trunk ${trunk} from ${first} to ${last} is in quarantine.`)
    const details = { trunk, first, last }
    await logAction(session, actor, { accountId: null, action: 'caller numbers returned', details })
  })
}

// For use inside a larger transaction: these numbers are out of use no longer. Returns whether some were.
export async function returnNumbersIn(session: Session, { trunk, first, last }: Command): Promise<boolean> {
  await forgetQuarantines(session)
  const ended = (await readQuarantines(session)).filter(
    (one) => one.trunk === trunk && one.first <= last && first <= one.last,
  )
  for (const one of ended) {
    await deleteQuarantine(session, one)
    for (const rest of withoutNumbers(one, { first, last })) await insertQuarantine(session, rest)
  }
  return ended.length > 0
}
