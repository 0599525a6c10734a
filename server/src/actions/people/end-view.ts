import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { endView as endInDatabase } from '../../db/people/web-session.ts'
import type { Visitor } from './find-visitor.ts'

// The operator stops looking at a customer's dashboard. A view that had ended by itself leaves no entry.
export async function endView(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { session, view }: Visitor,
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (transaction) => {
    await endInDatabase(transaction, session.digest)
    if (!view) return
    const { accountId } = view
    await logAction(transaction, actor, { accountId, action: 'dashboard view ended', details: {} })
  })
}
