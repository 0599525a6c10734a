import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Announcement, endNow, liftStopOf } from '../../db/notices/announcement.ts'

type Ended = { readonly announcement: Announcement; readonly isResumed: boolean }

// Before its time, or before it began. Calls that it stopped start again; calls that somebody stopped since then do not. Undefined if it
// is over, or there is none.
export async function endAnnouncement(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { id }: { readonly id: number },
): Promise<Ended | undefined> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const announcement = await endNow(session, id)
    if (!announcement) return undefined
    const reason = await liftStopOf(session, id)
    if (reason !== undefined) {
      const details = { reason, announcement: id }
      await logAction(session, actor, { accountId: null, action: 'all trunks resumed', details })
    }
    const { severity, en, ru, until, endedAt } = announcement
    const details = { id, severity, en, ru, before: { until }, after: { until: endedAt } }
    await logAction(session, actor, { accountId: null, action: 'announcement ended', details })
    return { announcement, isResumed: reason !== undefined }
  })
}
