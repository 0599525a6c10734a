import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { tariffName } from '../../db/money/tariff.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { toDecimal } from '../../domain/money/money.ts'

export async function getBalance(
  deps: { readonly slots: SlotMap },
  apiClient: ApiClient,
): Promise<ApiResponse<'getBalance'>> {
  const account = await readAccount(deps.slots.databaseOf(slotOfAccount(apiClient.accountId)), apiClient.accountId)
  if (!account) throw new Error(`account ${apiClient.accountId} of an authenticated client does not exist`)
  return {
    status: true,
    rub_balance: toDecimal(account.balance),
    tariff: account.tariff,
    tariff_name: (await tariffName(deps.slots.globalDatabase, account.tariff)) ?? account.tariff,
  }
}
