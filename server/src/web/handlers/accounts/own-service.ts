import { showService } from '../../../actions/accounts/services.ts'
import { isServiceId, type ServiceId, slotOfAccount, slotOfService } from '../../../domain/core/slot.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, type Visit } from '../core/handlers.ts'

// Of another account: as if it did not exist.
export async function ownService(deps: Pick<WebDeps, 'slots'>, visit: Visit, id: number): Promise<ServiceId> {
  const accountId = accountOf(visit)
  if (!isServiceId(id) || slotOfService(id) !== slotOfAccount(accountId)) throw new Denial('not-found')
  const shown = await showService(deps, id).catch(() => undefined)
  if (shown?.service.accountId !== accountId) throw new Denial('not-found')
  return id
}
