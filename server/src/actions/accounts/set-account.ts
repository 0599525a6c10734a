import { lockAccount, setAccountTariff, setMustVerifyPhone } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { tariffName } from '../../db/money/tariff.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'

type Command = {
  readonly accountId: AccountId
  readonly tariff: string | undefined
  // While true, the account may read but not call: code 1005.
  readonly mustVerifyPhone: boolean | undefined
}

// The changed settings with their values before and after. Nothing changed: nothing is logged.
type Changes = Readonly<Record<string, readonly [string | boolean, string | boolean]>>

export async function setAccount(deps: { readonly slots: SlotMap }, actor: Actor, command: Command): Promise<Changes> {
  const { accountId, tariff, mustVerifyPhone } = command
  if (tariff !== undefined && (await tariffName(deps.slots.globalDatabase, tariff)) === undefined)
    throw new UsageError(`Tariff ${tariff} does not exist. \`ringproof tariffs list\` shows all tariffs.`)
  return inTransaction(deps.slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await lockAccount(session, accountId)
    const changes: Record<string, readonly [string | boolean, string | boolean]> = {}
    if (tariff !== undefined && account.tariff !== tariff) {
      await setAccountTariff(session, accountId, tariff)
      changes['tariff'] = [account.tariff, tariff]
    }
    if (mustVerifyPhone !== undefined && account.mustVerifyPhone !== mustVerifyPhone) {
      await setMustVerifyPhone(session, accountId, mustVerifyPhone)
      changes['mustVerifyPhone'] = [account.mustVerifyPhone, mustVerifyPhone]
    }
    if (Object.keys(changes).length > 0)
      await logAction(session, actor, { accountId, action: 'account changed', details: changes })
    return changes
  })
}
