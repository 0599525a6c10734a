import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readConfirmationNumbers } from '../../db/trunks/confirmation-number.ts'
import { insertCallerRange, lockCallerRanges, readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import type { CallerRange } from '../../domain/trunks/caller-pool.ts'
import { UsageError } from '../../process/errors.ts'

export async function addCallerRange(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  range: CallerRange,
): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, (session) => addCallerRangeIn(session, actor, range))
}

// For use inside a larger transaction. A number belongs to one trunk and one country, so ranges never overlap.
export async function addCallerRangeIn(session: Session, actor: Actor, range: CallerRange): Promise<void> {
  const trunks = await readTrunks(session)
  if (!trunks.some(({ name }) => name === range.trunk))
    throw new UsageError(`Trunk ${range.trunk} does not exist. \`ringproof trunks list\` shows all trunks.`)
  await lockCallerRanges(session)
  const ranges = await readCallerRanges(session)
  const other = ranges.find(({ first, last }) => first <= range.last && range.first <= last)
  if (other) {
    const numbers = `${other.first} to ${other.last}`
    throw new UsageError(`Trunk ${other.trunk} already has ${numbers}, for ${other.country}.`)
  }
  const called = (await readConfirmationNumbers(session)).find(
    ({ number }) => range.first <= number && number <= range.last,
  )
  if (called) throw new UsageError(`${called.number} is a confirmation number of trunk ${called.trunk}.`)
  await insertCallerRange(session, range)
  await logAction(session, actor, { accountId: null, action: 'caller range added', details: range })
}
