import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  forgetConfirmationNumbers,
  insertConfirmationNumber,
  lockConfirmationNumbers,
  readConfirmationNumbers,
} from '../../db/trunks/confirmation-number.ts'
import { lockCallerRanges, readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { slotOfNth } from '../../domain/trunks/confirmation-number.ts'
import { inEnglish } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import { UsageError } from '../../process/errors.ts'

type Command = { readonly trunk: string; readonly first: number; readonly last: number }

// Adds all of them or none. A confirmation number is never a caller number: calling a flash number back must not verify
// anything.
export async function addConfirmationNumbers(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { trunk, first, last }: Command,
): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    const trunks = await readTrunks(session)
    if (!trunks.some(({ name }) => name === trunk))
      throw new UsageError(`Trunk ${trunk} does not exist. \`ringproof trunks list\` shows all trunks.`)
    await lockCallerRanges(session)
    await lockConfirmationNumbers(session)
    await forgetConfirmationNumbers(session)
    const range = (await readCallerRanges(session)).find((one) => one.first <= last && first <= one.last)
    if (range) throw new UsageError(`${range.first} to ${range.last} are caller numbers of trunk ${range.trunk}.`)
    const present = await readConfirmationNumbers(session)
    const own = present.filter(({ number }) => first <= number && number <= last)
    const known = own.find(({ isRemoved }) => !isRemoved)
    if (known) throw new UsageError(`${known.number} is already a confirmation number of trunk ${known.trunk}.`)
    const other = own.find((one) => one.trunk !== trunk)
    if (other) {
      throw new UsageError(
        `${other.number} was removed from trunk ${other.trunk} less than ${inEnglish(retention.removedNumbers.kept)} ago, and subscribers may still call it. Try again later.`,
      )
    }
    for (let number = first; number <= last; number++) {
      await insertConfirmationNumber(session, number, trunk, slotOfNth(present.length + number - first))
    }
    await logAction(session, actor, {
      accountId: null,
      action: 'confirmation numbers added',
      details: { trunk, first, last },
    })
  })
}
