import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Announcement, readCurrentAnnouncements } from '../../db/notices/announcement.ts'
import { evaluateStatus, type Status } from '../../domain/installation/status.ts'
import { showTrunks } from '../trunks/show-trunks.ts'

type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }
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
