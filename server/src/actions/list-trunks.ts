import type { SlotMap } from '../db/slot-map.ts'
import { readCallerRanges, readTrunks } from '../db/trunk.ts'
import { readTrunkStates, type ToldTrunkState } from '../db/trunk-state.ts'
import { readTrunkStop, type TrunkStop } from '../db/trunk-stop.ts'
import type { Trunk } from '../domain/routing.ts'

export type ListedTrunk = Trunk & { readonly callerNumbers: number; readonly states: readonly ToldTrunkState[] }

type ListedTrunks = { readonly trunks: readonly ListedTrunk[]; readonly stop: TrunkStop | undefined }

// In the order in which they are tried, and whether all of them are stopped.
export async function listTrunks({ slots }: { readonly slots: SlotMap }): Promise<ListedTrunks> {
  const [stop, trunks, ranges, states] = await Promise.all([
    readTrunkStop(slots.home),
    readTrunks(slots.home),
    readCallerRanges(slots.home),
    readTrunkStates(slots.home),
  ])
  const listed = trunks.map((trunk) => ({
    ...trunk,
    callerNumbers: ranges
      .filter((range) => range.trunk === trunk.name)
      .reduce((sum, { first, last }) => sum + last - first + 1, 0),
    states: states.filter((state) => state.trunk === trunk.name),
  }))
  return { trunks: listed, stop }
}
