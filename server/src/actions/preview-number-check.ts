// Says what a number check would cost: the checks run, with a charge that is only noted. Nothing that they find is returned.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../db/account.ts'
import { spendingObstacle } from '../domain/accounts/api-client.ts'
import { addMoney, type MicroRoubles, toRoubles, zeroMoney } from '../domain/money/money.ts'
import { readNumberList } from '../domain/numbers/number-list.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../domain/slot.ts'
import { type NumberCheckDeps, readPayer, stateOf } from './check-numbers.ts'
import { checkPhone } from './check-phone.ts'

type Command = { readonly serviceId: ServiceId; readonly numbers: readonly string[] }

export async function previewNumberCheck(
  deps: NumberCheckDeps,
  accountId: AccountId,
  { serviceId, numbers }: Command,
): Promise<WebOutput<'preview-number-check'>> {
  const { apiClient, prices } = await readPayer(deps.slots, accountId, serviceId)
  const account = await readAccount(deps.slots.databaseOf(slotOfAccount(accountId)), accountId)
  const noted: MicroRoubles[] = []
  const charge = async ({ price }: { readonly price: MicroRoubles }) => {
    noted.push(price)
    return { charged: true, balance: zeroMoney }
  }
  const listed = readNumberList(numbers)
  const unique = listed.filter(({ isDuplicate }) => !isDuplicate)
  const found = await Promise.all(
    unique.map(({ text: phone }) =>
      stateOf(checkPhone({ charge, prices, numbers: deps.numbers }, apiClient, { phone, language: 'en' })),
    ),
  )
  const unsold = found.filter(({ state }) => state === 'unsold').length
  const invalid = found.filter((one) => one.state === 'checked' && one.info.error !== undefined).length
  return {
    valid: found.length - unsold - invalid,
    invalid,
    unsold,
    duplicates: listed.flatMap(({ isDuplicate }, place) => (isDuplicate ? [place] : [])),
    cost: toRoubles(addMoney(zeroMoney, ...noted)),
    balance: toRoubles(account?.balance ?? zeroMoney),
    obstacle: spendingObstacle(apiClient) ?? null,
    registryAt: deps.registryAtMs() ?? null,
  }
}
