// Adds a list of caller numbers to a trunk, as its carrier sent it. What is not new is left out, and so is what has another use.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertCallerRanges } from '../../db/trunks/caller-number.ts'
import { lockCallerRanges } from '../../db/trunks/trunk.ts'
import { Denial } from '../../process/errors.ts'
import { type ImportCommand, readImport } from './preview-caller-import.ts'

// How many the preview has shown. If it is another number now, nothing is added.
type Command = ImportCommand & { readonly expected: number | undefined }

export async function importCallerNumbers(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { expected, ...command }: Command,
): Promise<{ readonly added: number }> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await lockCallerRanges(session)
    const { plan } = await readImport(session, command)
    const { ranges, added } = plan
    if (expected !== undefined && expected !== added) throw new Denial('conflict')
    if (added === 0) return { added }
    await insertCallerRanges(session, ranges)
    const { trunk, country } = command
    const spans = ranges.slice(0, loggedMax).map(({ first, last }) => ({ first, last }))
    const details = { trunk, country, numbers: added, ranges: ranges.length, spans }
    await logAction(session, actor, { accountId: null, action: 'caller numbers imported', details })
    return { added }
  })
}

// A list of single numbers would make an entry of the log very long.
const loggedMax = 20
