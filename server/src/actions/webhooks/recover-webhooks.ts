import { listServices } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { recoverWebhooks as recoverDead } from '../../db/webhooks/webhook-list.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'

type Command = { readonly accountId: AccountId; readonly sinceSecond: number; readonly isTest: boolean }

// One statement; who has more presses again.
const recoveredMax = 1_000

// Sends every failed webhook of an account again whose call came in since then. Returns how many.
export async function recoverWebhooks(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { accountId, sinceSecond, isTest }: Command,
): Promise<number> {
  return inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const serviceIds = (await listServices(session, accountId)).map(({ id }) => id)
    const { length: count } = await recoverDead(session, serviceIds, { sinceSecond, isTest, limit: recoveredMax })
    if (count > 0) await logAction(session, actor, { accountId, action: 'webhooks recovered', details: { count } })
    return count
  })
}
