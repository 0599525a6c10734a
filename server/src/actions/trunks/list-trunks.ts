import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTrunkStop, type TrunkStop } from '../../db/protection/trunk-stop.ts'
import { readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { readReturnPathCounts } from '../../db/trunks/trunk-return-path.ts'
import { readTrunkStates, type TrunkStateRow } from '../../db/trunks/trunk-state.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'

export type ListedTrunk = Trunk & {
  readonly callerNumbers: number
  readonly states: readonly TrunkStateRow[]
  // Inbound UDP calls since the trunk started to record the return path.
  readonly confirmedCalls: number
  readonly unconfirmedCalls: number
}

type ListedTrunks = { readonly trunks: readonly ListedTrunk[]; readonly stop: TrunkStop | undefined }

// In the order in which they are tried, with the kill switch.
export async function listTrunks({ slots }: { readonly slots: SlotMap }): Promise<ListedTrunks> {
  const [stop, trunks, ranges, states, counts] = await Promise.all([
    readTrunkStop(slots.globalDatabase),
    readTrunks(slots.globalDatabase),
    readCallerRanges(slots.globalDatabase),
    readTrunkStates(slots.globalDatabase),
    readReturnPathCounts(slots.globalDatabase),
  ])
  const listed = trunks.map((trunk) => ({
    ...trunk,
    callerNumbers: ranges
      .filter((range) => range.trunk === trunk.name)
      .reduce((sum, { first, last }) => sum + last - first + 1, 0),
    states: states.filter((state) => state.trunk === trunk.name),
    confirmedCalls: counts.find((count) => count.trunk === trunk.name)?.confirmed ?? 0,
    unconfirmedCalls: counts.find((count) => count.trunk === trunk.name)?.unconfirmed ?? 0,
  }))
  return { trunks: listed, stop }
}
