import { type Announcement, readCurrentAnnouncements } from '../db/announcement.ts'
import type { SlotMap } from '../db/slot-map.ts'

// What every dashboard shows now; newest first.
export async function showCurrentAnnouncements(deps: { readonly slots: SlotMap }): Promise<readonly Announcement[]> {
  return readCurrentAnnouncements(deps.slots.globalDatabase)
}
