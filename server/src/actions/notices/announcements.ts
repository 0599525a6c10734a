import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  type Announcement,
  endNow,
  insertAnnouncement,
  liftStopOf,
  type NewAnnouncement,
  readAnnouncements,
  readCurrentAnnouncements,
  tieToStop,
} from '../../db/notices/announcement.ts'
import { insertTrunkStop } from '../../db/protection/trunk-stop.ts'
import { announcementTextMax, evaluateStatus, type Status } from '../../domain/installation/status.ts'
import { parseText } from '../../domain/values/text.ts'
import { UsageError } from '../../process/errors.ts'
import { showTrunks } from '../trunks/trunks-view.ts'

type Deps = {
  readonly slots: SlotMap
  readonly nowSeconds: () => number
}

type Command = NewAnnouncement & { readonly stopsCalls: boolean }

const maintenanceReason = 'maintenance'

// Every dashboard shows it while it is current. Maintenance can stop all calls with it: nobody announces it and forgets to stop them, or
// the other way round.
export async function postAnnouncement(
  deps: Pick<Deps, 'slots'>,
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

type Ended = { readonly announcement: Announcement; readonly isResumed: boolean }

// Before its time, or before it began. Calls that it stopped start again; calls that somebody stopped since then do not. Undefined if it
// is over, or there is none.
export async function endAnnouncement(
  deps: Pick<Deps, 'slots'>,
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

const shownMax = 100

// Current, planned and past ones; of each the newest first.
export async function listAnnouncements({ slots }: Pick<Deps, 'slots'>): Promise<readonly Announcement[]> {
  return readAnnouncements(slots.globalDatabase, shownMax)
}

// What every dashboard shows now; newest first.
export async function showCurrentAnnouncements(deps: Pick<Deps, 'slots'>): Promise<readonly Announcement[]> {
  return readCurrentAnnouncements(deps.slots.globalDatabase)
}

export type ShownStatus = { readonly status: Status; readonly announcements: readonly Announcement[] }

export async function showStatus(deps: Deps): Promise<ShownStatus> {
  const [announcements, { trunks, stop }] = await Promise.all([
    readCurrentAnnouncements(deps.slots.globalDatabase),
    showTrunks(deps),
  ])
  const status = evaluateStatus({
    announced: announcements.map(({ severity }) => severity),
    trunks: trunks.filter(({ isTest }) => !isTest).map(({ health }) => health.state),
    areCallsStopped: stop !== null,
  })
  return { status, announcements }
}
