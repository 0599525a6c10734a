import { lockAccount, setAccountTariff } from '../db/account.ts'
import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { tariffName } from '../db/tariff.ts'
import { type AccountId, slotOfAccount } from '../domain/slot.ts'
import { UsageError } from '../errors.ts'

type Command = { readonly accountId: AccountId; readonly tariff: string }

// False if nothing changed; then nothing is logged.
export async function setAccount(deps: { readonly slots: SlotMap }, actor: Actor, command: Command): Promise<boolean> {
  const { accountId, tariff } = command
  if ((await tariffName(deps.slots.globalDatabase, tariff)) === undefined)
    throw new UsageError(`Tariff ${tariff} does not exist. \`ringproof tariffs list\` shows all tariffs.`)
  return inTransaction(deps.slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await lockAccount(session, accountId)
    if (account.tariff === tariff) return false
    await setAccountTariff(session, accountId, tariff)
    const details = { tariff: [account.tariff, tariff] }
    await logAction(session, actor, { accountId, action: 'account changed', details })
    return true
  })
}
