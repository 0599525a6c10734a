import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Announcement, readAnnouncements } from '../../db/notices/announcement.ts'

const shownMax = 100

// Current, planned and past ones; of each the newest first.
export async function listAnnouncements({ slots }: { readonly slots: SlotMap }): Promise<readonly Announcement[]> {
  return readAnnouncements(slots.globalDatabase, shownMax)
}
