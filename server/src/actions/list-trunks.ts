import type { SlotMap } from '../db/slot-map.ts'
import { readCallerRanges, readTrunks } from '../db/trunk.ts'
import { readTrunkStates, type ToldTrunkState } from '../db/trunk-state.ts'
import type { Trunk } from '../domain/routing.ts'

export type ListedTrunk = Trunk & { readonly callerNumbers: number; readonly states: readonly ToldTrunkState[] }

// In the order in which they are tried.
export async function listTrunks({ slots }: { readonly slots: SlotMap }): Promise<readonly ListedTrunk[]> {
  const [trunks, ranges, states] = await Promise.all([
    readTrunks(slots.home),
    readCallerRanges(slots.home),
    readTrunkStates(slots.home),
  ])
  return trunks.map((trunk) => ({
    ...trunk,
    callerNumbers: ranges
      .filter((range) => range.trunk === trunk.name)
      .reduce((sum, { first, last }) => sum + last - first + 1, 0),
    states: states.filter((state) => state.trunk === trunk.name),
  }))
}
