import { readService } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { ServiceSettingName } from '../../domain/accounts/service.ts'
import {
  changesOf,
  readSettings,
  type SettingChange,
  type SettingTexts,
} from '../../domain/accounts/service-changes.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { Denial } from '../../process/errors.ts'

type Preview = { readonly changes: readonly SettingChange[]; readonly mistakes: readonly ServiceSettingName[] }

// What set-service would change, without changing it.
export async function previewSettings(
  { slots }: { readonly slots: SlotMap },
  serviceId: ServiceId,
  texts: SettingTexts,
): Promise<Preview> {
  const service = await readService(slots.databaseOf(slotOfService(serviceId)), serviceId)
  if (!service) throw new Denial('not-found')
  const { values, mistakes } = readSettings(texts)
  return { changes: changesOf(service.settings, values), mistakes }
}
