import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { deleteShare } from '../db/statistics-share.ts'
import type { AccountId } from '../domain/slot.ts'
import { Denial } from '../errors.ts'

// The link shows nothing from the next request on.
export async function revokeStatisticsShare(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { accountId, id }: { readonly accountId: AccountId; readonly id: number },
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    if (!(await deleteShare(session, accountId, id))) throw new Denial('not-found')
    await logAction(session, actor, { accountId, action: 'statistics share revoked', details: { share: id } })
  })
}
