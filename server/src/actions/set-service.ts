import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import { lockService, setService as writeService } from '../db/service.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { type ServiceSettingName, type SettingValue, serviceSettings } from '../domain/accounts/service.ts'
import { type ServiceId, slotOfService } from '../domain/slot.ts'
import { UsageError } from '../errors.ts'

type Command = { readonly serviceId: ServiceId; readonly texts: Readonly<Partial<Record<ServiceSettingName, string>>> }

// The changed settings with their values before and after.
type Changes = Readonly<Record<string, readonly [string, string]>>

export async function setService(deps: { readonly slots: SlotMap }, actor: Actor, command: Command): Promise<Changes> {
  const { serviceId } = command
  const values = parseTexts(command.texts)
  return inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const service = await lockService(session, serviceId)
    const changes: Record<string, readonly [string, string]> = {}
    for (const [name, value] of values) {
      const { show } = serviceSettings[name]
      const before = show(service.settings[name])
      const after = show(value)
      if (before !== after) changes[name] = [before, after]
    }
    if (Object.keys(changes).length === 0) return changes
    await writeService(session, serviceId, values)
    const details = { service: serviceId, changes }
    await logAction(session, actor, { accountId: service.accountId, action: 'service changed', details })
    return changes
  })
}

export function parseTexts(texts: Command['texts']): ReadonlyMap<ServiceSettingName, SettingValue> {
  const values = new Map<ServiceSettingName, SettingValue>()
  const mistakes: string[] = []
  for (const [name, text] of Object.entries(texts) as [ServiceSettingName, string][]) {
    const { parse, hint, explains } = serviceSettings[name]
    const value = parse(text)
    if (value === undefined) mistakes.push(`${name} takes ${hint}: ${explains}`)
    else values.set(name, value)
  }
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'))
  if (values.size === 0) throw new UsageError('No setting was given. See `ringproof services set --help`.')
  return values
}
