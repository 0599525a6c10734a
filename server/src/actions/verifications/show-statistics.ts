import type { SlotMap } from '../../db/core/slot-map.ts'
import { countCalls, type StatisticsFilter } from '../../db/verifications/call-statistics.ts'
import { type CallStatistics, mergeStatistics, type StatisticsKey } from '../../domain/verifications/call-statistics.ts'

// Over all databases.
export async function showStatistics(
  { slots }: { readonly slots: SlotMap },
  by: readonly StatisticsKey[],
  filter: StatisticsFilter,
): Promise<readonly CallStatistics[]> {
  const counts = await Promise.all(slots.databases.map((database) => countCalls(database, by, filter)))
  return mergeStatistics(counts.flat(), by)
}
