import type { SlotMap } from '../db/slot-map.ts'
import { type ListedWebhook, listWebhooks as listInRecord } from '../db/webhook.ts'

const listedMax = 100

// Newest first, all databases.
export async function listWebhooks(
  deps: { readonly slots: SlotMap },
  wanted: Parameters<typeof listInRecord>[1],
): Promise<readonly ListedWebhook[]> {
  const lists = await Promise.all(deps.slots.databases.map((database) => listInRecord(database, wanted, listedMax)))
  return lists
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, listedMax)
}
