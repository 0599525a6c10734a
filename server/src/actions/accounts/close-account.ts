import { lockAccount, setAccountClosed } from '../../db/accounts/account.ts'
import { deleteKeysOfAccount } from '../../db/accounts/api-key.ts'
import { archiveServices } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { formatDecimal } from '../../domain/money/money.ts'
import { Denial } from '../../process/errors.ts'

type Command = {
  readonly accountId: AccountId
  // As the person has typed it, so that nobody closes the wrong account.
  readonly name: string
}

// Revokes every key and archives every service, at once and together. Calls in progress end as usual. People can still sign in and
// read; what is stored goes with its retention time. The money stays: an operator pays it back.
export async function closeAccount(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { accountId, name }: Command,
): Promise<void> {
  await inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await lockAccount(session, accountId)
    if (account.closedAt) throw new Denial('account-closed')
    if (name.trim() !== (account.name || account.email)) throw new Denial('invalid', ['name'])
    await setAccountClosed(session, accountId, true)
    const keys = await deleteKeysOfAccount(session, accountId)
    const services = await archiveServices(session, accountId)
    const details = { keys, services, amount: formatDecimal(account.balance) }
    await logAction(session, actor, { accountId, action: 'account closed', details })
  })
}
