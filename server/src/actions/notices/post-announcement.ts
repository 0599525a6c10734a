import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  type Announcement,
  insertAnnouncement,
  type NewAnnouncement,
  tieToStop,
} from '../../db/notices/announcement.ts'
import { insertTrunkStop } from '../../db/protection/trunk-stop.ts'
import { announcementTextMax } from '../../domain/installation/status.ts'
import { parseText } from '../../domain/values/text.ts'
import { UsageError } from '../../process/errors.ts'

type Command = NewAnnouncement & { readonly stopsCalls: boolean }

const maintenanceReason = 'maintenance'

// Every dashboard shows it while it is current. Maintenance can stop all calls with it: nobody announces it and forgets to stop them, or
// the other way round.
export async function postAnnouncement(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  command: Command,
): Promise<Announcement> {
  const { severity, from, until, stopsCalls } = command
  const en = textOf('--en', command.en)
  const ru = textOf('--ru', command.ru)
  if (stopsCalls && (severity !== 'maintenance' || from !== undefined))
    throw new UsageError(
      'Calls are stopped only by maintenance that begins now: --severity maintenance without --from.',
    )
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const posted = await insertAnnouncement(session, { severity, en, ru, from, until })
    if (!posted) throw new UsageError('--until has to be later than now and later than --from.')
    if (stopsCalls) {
      if (!(await insertTrunkStop(session, maintenanceReason)))
        throw new UsageError('All calls are stopped already. Announce the maintenance without stopping them.')
      await tieToStop(session, posted.id)
      const details = { reason: maintenanceReason, announcement: posted.id }
      await logAction(session, actor, { accountId: null, action: 'all trunks stopped', details })
    }
    const details = { id: posted.id, severity, en, ru, from: posted.from, until: posted.until, stopsCalls }
    await logAction(session, actor, { accountId: null, action: 'announcement posted', details })
    return { ...posted, stopsCalls }
  })
}

function textOf(option: string, text: string): string {
  const parsed = parseText(text, 1, announcementTextMax)
  if (parsed === undefined)
    throw new UsageError(`${option} takes one line of 1 to ${announcementTextMax} characters: what customers read.`)
  return parsed
}
