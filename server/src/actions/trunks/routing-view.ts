import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTrunkStop, type TrunkStop } from '../../db/protection/trunk-stop.ts'
import { readLiveCallerRanges } from '../../db/trunks/caller-number.ts'
import { readNetworkCounts } from '../../db/trunks/network-counts.ts'
import { readTrunks } from '../../db/trunks/trunk.ts'
import { numbersIn } from '../../domain/trunks/caller-pool.ts'
import { cellsOf, changePointsOf, type NetworkCount } from '../../domain/trunks/network-counts.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { hourMs, weekMs } from '../../domain/values/time.ts'

type Deps = {
  readonly slots: SlotMap
  readonly nowSeconds: () => number
}

type ShownRouting = {
  readonly trunks: readonly (Trunk & { readonly numbers: number })[]
  readonly stop: TrunkStop | undefined
}

// The trunks that carry calls, in the order in which they are tried, each with its caller numbers in use.
export async function showRouting({ slots }: Pick<Deps, 'slots'>): Promise<ShownRouting> {
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

// How every provider rings over every trunk, over all accounts, beside the same hours of the four weeks before.

const usualWeeks = [1, 2, 3, 4]

// Changes are looked for in two days.
const seriesHours = 48

export async function showDeliverability(
  { slots, nowSeconds }: Deps,
  hours: number,
): Promise<WebOutput<'deliverability'>> {
  const untilMs = Math.floor((nowSeconds() * 1_000) / hourMs + 1) * hourMs
  const fromMs = untilMs - hours * hourMs
  const read = async (from: number, until: number): Promise<readonly NetworkCount[]> => {
    const range = [new Date(from), new Date(until)] as const
    const counts = await Promise.all(slots.databases.map((database) => readNetworkCounts(database, ...range)))
    return counts.flat()
  }
  const [series, ...earlier] = await Promise.all([
    read(untilMs - seriesHours * hourMs, untilMs),
    ...usualWeeks.map((week) => read(fromMs - week * weekMs, untilMs - week * weekMs)),
  ])
  const cells = cellsOf(
    series.filter((count) => count.hourMs >= fromMs),
    earlier.flat(),
  )
  return {
    from: fromMs,
    until: untilMs,
    cells: cells.map(({ usual, ...cell }) => ({ ...cell, mode: cell.mode as 'flash', usual: usual ?? null })),
    changes: changePointsOf(series).map((change) => ({ ...change, mode: change.mode as 'flash' })),
  }
}
