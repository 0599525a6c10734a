import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { readAccount } from '../db/account.ts'
import { readActions } from '../db/action-log.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import { slotOfAccount } from '../domain/slot.ts'
import { unixSeconds } from '../domain/unix-time.ts'

const entriesMax = 50

export async function getAccount(
  deps: { readonly slots: SlotMap },
  apiClient: ApiClient,
): Promise<ApiResponse<'getAccount'>> {
  const database = deps.slots.databaseOf(slotOfAccount(apiClient.accountId))
  const account = await readAccount(database, apiClient.accountId)
  if (!account) throw new Error(`account ${apiClient.accountId} of an authenticated client does not exist`)
  const actions = await readActions(database, account.id, entriesMax)
  return {
    id: account.id,
    telegram_id: account.telegramId ?? 0,
    two_auth: account.twoAuth,
    email: account.email,
    logs: actions.map(({ action, userAgent, address, createdAt }) => ({
      action,
      user_agent: userAgent,
      ip: address,
      created: unixSeconds(createdAt),
    })),
    updated: unixSeconds(account.activeAt),
    created: unixSeconds(account.createdAt),
  }
}
