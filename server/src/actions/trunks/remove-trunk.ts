import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { countNumbers, deleteTrunk } from '../../db/trunks/trunk.ts'
import { UsageError } from '../../process/errors.ts'

type Command = { readonly name: string; readonly withNumbers: boolean }

// Removes the trunk's numbers too, but only with --with-numbers.
export async function removeTrunk(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { name, withNumbers }: Command,
): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    const numbers = await countNumbers(session, name)
    if (numbers > 0 && !withNumbers) {
      throw new UsageError(`Trunk ${name} has ${numbers} numbers. To remove them too, add --with-numbers.`)
    }
    if (!(await deleteTrunk(session, name)))
      throw new UsageError(`Trunk ${name} does not exist. \`ringproof trunks list\` shows all trunks.`)
    await logAction(session, actor, { accountId: null, action: 'trunk removed', details: { name, numbers } })
  })
}
