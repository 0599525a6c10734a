// Says what a number check would cost: the checks run, with a charge that is only noted. Of what they find only sums are returned, and
// of these an account has so many a day: a list of one number would say for nothing whether it exists.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { listMax } from '@ringproof/contract/web/number-limits.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { countTry } from '../../db/people/sign-in-failure.ts'
import { spendingObstacle } from '../../domain/accounts/api-client.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { addMoney, type MicroAmount, toDecimal, zeroMoney } from '../../domain/money/money.ts'
import { readNumberList } from '../../domain/numbers/number-list.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { daySeconds } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'
import { type NumberCheckDeps, readPayer, stateOf } from './check-numbers.ts'
import { checkPhone } from './check-phone.ts'

// Ten lists of the largest size; a small list counts as one of twenty.
const numbersDayMax = 10 * listMax
const countedMin = 20

type Command = { readonly serviceId: ServiceId; readonly numbers: readonly string[] }

export async function previewNumberCheck(
  deps: NumberCheckDeps,
  accountId: AccountId,
  { serviceId, numbers }: Command,
): Promise<WebOutput<'preview-number-check'>> {
  const { apiClient, prices } = await readPayer(deps.slots, accountId, serviceId)
  const digest = digestToken(`number preview ${accountId}`)
  const counted = Math.max(numbers.length, countedMin)
  if ((await countTry(deps.slots.globalDatabase, digest, daySeconds, counted)) > numbersDayMax)
    throw new Denial('throttled', [], daySeconds)
  const account = await readAccount(deps.slots.databaseOf(slotOfAccount(accountId)), accountId)
  const noted: MicroAmount[] = []
  const charge = async ({ price }: { readonly price: MicroAmount }) => {
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
    cost: toDecimal(addMoney(zeroMoney, ...noted)),
    balance: toDecimal(account?.balance ?? zeroMoney),
    obstacle: spendingObstacle(apiClient) ?? null,
    registryAt: deps.registryAtMs() ?? null,
  }
}
