import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { countNumbers, deleteTrunk } from '../db/trunk.ts'
import { UsageError } from '../errors.ts'

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
      throw new UsageError(`the trunk ${name} has ${numbers} numbers; to remove them too, say --with-numbers`)
    }
    if (!(await deleteTrunk(session, name))) throw new UsageError(`there is no trunk ${name}`)
    await logAction(session, actor, { accountId: null, action: 'trunk removed', details: { name, numbers } })
  })
}
