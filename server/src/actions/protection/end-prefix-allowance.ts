import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteAllowedPrefix } from '../../db/protection/allowed-prefix.ts'
import type { BreakerScope } from '../../domain/protection/prefix-gate.ts'

// The rules decide about the range or country again, within a second. False if it was not allowed.
export async function endPrefixAllowance(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { scope }: { readonly scope: BreakerScope },
): Promise<boolean> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const known = await deleteAllowedPrefix(session, scope)
    if (!known) return false
    const details = { scope, before: { allowed: known.until ?? 'for good' }, after: { allowed: 'no' } }
    await logAction(session, actor, { accountId: null, action: 'range no longer allowed', details })
    return true
  })
}
