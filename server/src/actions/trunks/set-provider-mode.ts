// Places the flash calls of an account to one provider in another mode, or again as requested. It applies to its live services, or
// to one of them.

import { listServices, lockService, setService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ModeInsteadOfFlash, parseProviderMode, withProviderMode } from '../../domain/accounts/provider-modes.ts'
import { serviceSettings } from '../../domain/accounts/service.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { Denial } from '../../process/errors.ts'

export type ProviderModeCommand = {
  readonly accountId: AccountId
  readonly serviceId?: ServiceId | undefined
  readonly provider: string
  // Undefined: as requested.
  readonly mode: ModeInsteadOfFlash | undefined
}

// The services that were changed.
export async function setProviderMode(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { accountId, serviceId, provider, mode }: ProviderModeCommand,
): Promise<readonly ServiceId[]> {
  if (parseProviderMode(`${provider}=${mode ?? 'voice'}`)?.provider !== provider)
    throw new Denial('invalid', ['provider'])
  return inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const changed: ServiceId[] = []
    for (const { id } of await listServices(session, accountId)) {
      const { isTest, settings } = await lockService(session, id)
      const isMeant = serviceId === undefined ? !isTest && settings.state !== 'archived' : id === serviceId
      const rules = settings['provider-modes'] as readonly string[]
      const next = withProviderMode(rules, provider, mode)
      const { show } = serviceSettings['provider-modes']
      if (!isMeant || show(next) === show(rules)) continue
      await setService(session, id, new Map([['provider-modes', next]]))
      const changes = { 'provider-modes': [show(rules), show(next)] }
      await logAction(session, actor, { accountId, action: 'service changed', details: { service: id, changes } })
      changed.push(id)
    }
    return changed
  })
}
