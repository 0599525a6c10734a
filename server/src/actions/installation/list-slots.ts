// Where every slot lives, and which are moving.

import { nameOf } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readSlotMoves, type SlotMove } from '../../db/core/slot-move.ts'
import { type Slot, slotsAll } from '../../domain/core/slot.ts'

export type ListedDatabase = {
  readonly name: string
  readonly slots: readonly Slot[]
  // Of slots that move, or whose rows are still to be deleted here.
  readonly moves: readonly Pick<SlotMove, 'slot' | 'state' | 'peer' | 'changedAt'>[]
}

export async function listSlots({ slots }: { readonly slots: SlotMap }): Promise<readonly ListedDatabase[]> {
  return Promise.all(
    slots.databases.map(async (database) => ({
      name: nameOf(database),
      slots: slotsAll.filter((slot) => slots.databaseOf(slot) === database),
      moves: (await readSlotMoves(database))
        .filter(({ state, isDirty }) => isDirty || state === 'copying' || state === 'frozen' || state === 'arriving')
        .map(({ slot, state, peer, changedAt }) => ({ slot, state, peer, changedAt })),
    })),
  )
}
