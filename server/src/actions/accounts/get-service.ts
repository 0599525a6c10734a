import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { readService } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { slotOfService } from '../../domain/core/slot.ts'
import { unixSeconds } from '../../domain/values/unix-time.ts'

export async function getService(
  deps: { readonly slots: SlotMap },
  apiClient: ApiClient,
): Promise<ApiResponse<'getService'>> {
  const database = deps.slots.databaseOf(slotOfService(apiClient.serviceId))
  const [service, account] = await Promise.all([
    readService(database, apiClient.serviceId),
    readAccount(database, apiClient.accountId),
  ])
  if (!service || !account) throw new Error(`service ${apiClient.serviceId} of an authenticated client does not exist`)
  return {
    status: true,
    service_status: service.id,
    name: String(service.settings.name),
    creation_time: unixSeconds(service.createdAt),
    last_request: service.lastRequestAt ? unixSeconds(service.lastRequestAt) : 0,
    owner: account.email,
    use_direction: String(service.settings['use-direction']),
  }
}
