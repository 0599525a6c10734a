import { lockAccount, blockAccount as setBlocked, unblockAccount as setUnblocked } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'

type Command = {
  readonly accountId: AccountId
  readonly blocked: boolean
  // For the action log.
  readonly reason?: string | undefined
}

// False if nothing changed; then nothing is logged.
export async function blockAccount(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  command: Command,
): Promise<boolean> {
  const { accountId, blocked, reason } = command
  return inTransaction(deps.slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await lockAccount(session, accountId)
    if ((account.blockedAt !== null) === blocked) return false
    await (blocked ? setBlocked : setUnblocked)(session, accountId)
    const action = blocked ? 'account blocked' : 'account unblocked'
    await logAction(session, actor, { accountId, action, details: reason === undefined ? {} : { reason } })
    return true
  })
}
