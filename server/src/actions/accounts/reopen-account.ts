import { lockAccount, setAccountClosed } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'

// Its services stay archived, and their keys are gone. False if it was not closed; then nothing is logged.
export async function reopenAccount(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  accountId: AccountId,
): Promise<boolean> {
  return inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const { closedAt } = await lockAccount(session, accountId)
    if (!closedAt) return false
    await setAccountClosed(session, accountId, false)
    await logAction(session, actor, { accountId, action: 'account reopened', details: {} })
    return true
  })
}
