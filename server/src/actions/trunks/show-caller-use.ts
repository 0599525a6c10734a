// How evenly the newest calls have used the caller numbers of a country.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readCallerUse } from '../../db/trunks/caller-number.ts'
import { readCallerRanges } from '../../db/trunks/trunk.ts'
import { numbersIn } from '../../domain/trunks/caller-pool.ts'
import { type Spread, spreadOf } from '../../domain/trunks/code-coverage.ts'
import { isInSpans, joinSpans } from '../../domain/trunks/number-spans.ts'

// Of each database. Enough to see unevenness, few enough to read at once.
const newestCalls = 20_000

export type CallerUse = Spread & {
  // How many numbers were shown by so many calls: none, one, two and so on; the last one by that many and more.
  readonly histogram: readonly number[]
}

const histogramMax = 24

export async function showCallerUse(
  { slots }: { readonly slots: SlotMap },
  country: string | undefined,
): Promise<CallerUse> {
  const [owned, ...used] = await Promise.all([
    readCallerRanges(slots.globalDatabase),
    ...slots.databases.map((database) => readCallerUse(database, newestCalls)),
  ])
  const ranges = joinSpans(owned.filter((range) => country === undefined || range.country === country))
  const calls = new Map<number, number>()
  for (const { number, calls: more } of used.flat()) {
    if (isInSpans(ranges, number)) calls.set(number, (calls.get(number) ?? 0) + more)
  }
  const spread = spreadOf([...calls.values()], numbersIn(ranges))
  const histogram = Array.from({ length: Math.min(spread.most, histogramMax) + 1 }, () => 0)
  histogram[0] = spread.unused
  for (const count of calls.values()) {
    const at = Math.min(count, histogramMax)
    histogram[at] = (histogram[at] ?? 0) + 1
  }
  return { ...spread, histogram }
}
