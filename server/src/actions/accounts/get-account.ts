import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { readLastRequest } from '../../db/accounts/service.ts'
import { readActions } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { unixSeconds } from '../../domain/values/time.ts'

const entriesMax = 50

export async function getAccount(
  deps: { readonly slots: SlotMap },
  apiClient: ApiClient,
): Promise<ApiResponse<'getAccount'>> {
  const database = deps.slots.databaseOf(slotOfAccount(apiClient.accountId))
  const account = await readAccount(database, apiClient.accountId)
  if (!account) throw new Error(`account ${apiClient.accountId} of an authenticated client does not exist`)
  const actions = await readActions(deps.slots, account.id, entriesMax)
  const lastRequestAt = await readLastRequest(database, account.id)
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
    // Changes and sign-ins are in the log or write the account's own time, requests the time of a service.
    updated: unixSeconds(latestOf(account.activeAt, actions[0]?.createdAt, lastRequestAt)),
    created: unixSeconds(account.createdAt),
  }
}

function latestOf(first: Date, ...others: readonly (Date | null | undefined)[]): Date {
  return others.reduce<Date>((latest, one) => (one && one > latest ? one : latest), first)
}
