import { type Actor, logAction } from '../db/action-log.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { deleteShare } from '../db/statistics-share.ts'
import { type AccountId, slotOfAccount } from '../domain/slot.ts'
import { Denial } from '../errors.ts'

// The link shows nothing from the next request on.
export async function revokeStatisticsShare(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { accountId, id }: { readonly accountId: AccountId; readonly id: number },
): Promise<void> {
  if (!(await deleteShare(slots.globalDatabase, accountId, id))) throw new Denial('not-found')
  const logged = { accountId, action: 'statistics share revoked', details: { share: id } }
  await logAction(slots.databaseOf(slotOfAccount(accountId)), actor, logged)
}
