import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Announcement, readCurrentAnnouncements } from '../../db/notices/announcement.ts'

// What every dashboard shows now; newest first.
export async function showCurrentAnnouncements(deps: { readonly slots: SlotMap }): Promise<readonly Announcement[]> {
  return readCurrentAnnouncements(deps.slots.globalDatabase)
}
