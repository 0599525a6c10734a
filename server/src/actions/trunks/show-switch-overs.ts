// The switch-overs of now, then the latest that have ended.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readSwitchOvers, type StoredSwitchOver } from '../../db/trunks/switch-over.ts'

const pastMax = 20

export async function showSwitchOvers({
  slots,
}: {
  readonly slots: SlotMap
}): Promise<{ readonly isOn: boolean; readonly switchOvers: readonly StoredSwitchOver[] }> {
  return readSwitchOvers(slots.globalDatabase, pastMax)
}
