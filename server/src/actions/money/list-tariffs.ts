import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs, type Tariff } from '../../db/money/tariff.ts'

export async function listTariffs(deps: { readonly slots: SlotMap }): Promise<readonly Tariff[]> {
  return readTariffs(deps.slots.globalDatabase)
}
