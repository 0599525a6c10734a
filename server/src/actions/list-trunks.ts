import type { SlotMap } from '../db/slot-map.ts'
import { readCallerRanges, readTrunks } from '../db/trunk.ts'
import type { Trunk } from '../domain/routing.ts'

type ListedTrunk = Trunk & { readonly callerNumbers: number }

// In the order in which they are tried.
export async function listTrunks({ slots }: { readonly slots: SlotMap }): Promise<readonly ListedTrunk[]> {
  const [trunks, ranges] = await Promise.all([readTrunks(slots.home), readCallerRanges(slots.home)])
  return trunks.map((trunk) => ({
    ...trunk,
    callerNumbers: ranges
      .filter((range) => range.trunk === trunk.name)
      .reduce((sum, { first, last }) => sum + last - first + 1, 0),
  }))
}
