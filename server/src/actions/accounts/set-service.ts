import { lockService, setService as writeService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { serviceSettings } from '../../domain/accounts/service.ts'
import {
  changesOf,
  conflictsOf,
  readSettings,
  type SettingChange,
  type SettingTexts,
  type SettingValues,
} from '../../domain/accounts/service-changes.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Command = {
  readonly serviceId: ServiceId
  readonly texts: SettingTexts
  // What a person saw before the change; if another change came first, nothing is saved.
  readonly was?: SettingTexts
}

export async function setService(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { serviceId, texts, was = {} }: Command,
): Promise<readonly SettingChange[]> {
  const values = parseTexts(texts)
  return inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const service = await lockService(session, serviceId)
    const conflicts = conflictsOf(service.settings, was)
    if (conflicts.length > 0) throw new Denial('conflict', conflicts)
    const changes = changesOf(service.settings, values)
    if (changes.length === 0) return changes
    await writeService(session, serviceId, values)
    const details = {
      service: serviceId,
      changes: Object.fromEntries(changes.map(({ name, was: before, becomes }) => [name, [before, becomes]])),
    }
    await logAction(session, actor, { accountId: service.accountId, action: 'service changed', details })
    return changes
  })
}

export function parseTexts(texts: SettingTexts): SettingValues {
  const { values, mistakes } = readSettings(texts)
  if (mistakes.length > 0) {
    const sentences = mistakes.map(
      (name) => `${name} takes ${serviceSettings[name].hint}: ${serviceSettings[name].explains}`,
    )
    throw new UsageError(sentences.join('\n'))
  }
  if (values.size === 0) throw new UsageError('No setting was given. See `ringproof services set --help`.')
  return values
}
