import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTrunkStop, type TrunkStop } from '../../db/protection/trunk-stop.ts'
import { readLiveCallerRanges } from '../../db/trunks/caller-number.ts'
import { readTrunks } from '../../db/trunks/trunk.ts'
import { numbersIn } from '../../domain/trunks/caller-pool.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'

type ShownRouting = {
  readonly trunks: readonly (Trunk & { readonly numbers: number })[]
  readonly stop: TrunkStop | undefined
}

// The trunks that carry calls, in the order in which they are tried, each with its caller numbers in use.
export async function showRouting({ slots }: { readonly slots: SlotMap }): Promise<ShownRouting> {
  const { globalDatabase } = slots
  const [trunks, ranges, stop] = await Promise.all([
    readTrunks(globalDatabase),
    readLiveCallerRanges(globalDatabase),
    readTrunkStop(globalDatabase),
  ])
  return {
    trunks: trunks
      .filter(({ isTest }) => !isTest)
      .map((trunk) => ({ ...trunk, numbers: numbersIn(ranges.filter((range) => range.trunk === trunk.name)) })),
    stop,
  }
}
