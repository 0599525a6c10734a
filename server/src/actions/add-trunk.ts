import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { insertTrunk } from '../db/trunk.ts'
import type { Trunk } from '../domain/routing.ts'
import { OperatorMistake } from '../errors.ts'

// Calls go over it within a moment, as soon as it has caller numbers.
export async function addTrunk(deps: { readonly slots: SlotMap }, actor: Actor, trunk: Trunk): Promise<void> {
  await inTransaction(deps.slots.home, async (session) => {
    if (!(await insertTrunk(session, trunk))) throw new OperatorMistake(`there is a trunk ${trunk.name} already`)
    await logAction(session, actor, { accountId: null, action: 'trunk added', details: trunk })
  })
}
