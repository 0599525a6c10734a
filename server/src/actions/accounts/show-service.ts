import { readClientHint } from '../../db/accounts/client-hint.ts'
import { readService, type Service } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ClientHint, hintOfClient } from '../../domain/accounts/known-client.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'

type Shown = {
  readonly service: Service
  // A known client that uses the service without the settings it needs.
  readonly hint: ClientHint | undefined
}

export async function showService(deps: { readonly slots: SlotMap }, id: ServiceId): Promise<Shown> {
  const database = deps.slots.databaseOf(slotOfService(id))
  const service = await readService(database, id)
  if (!service) throw new UsageError(`Service ${id} does not exist. \`ringproof services list\` shows all services.`)
  const seen = await readClientHint(database, id)
  const { settings } = service
  const has = {
    idAlias: String(settings['id-alias']),
    statusStyle: String(settings['status-style']),
    repeats: settings.repeats === true,
  }
  return { service, hint: seen && hintOfClient(seen.client, has) }
}
