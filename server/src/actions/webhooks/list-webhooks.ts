import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ListedWebhook, listWebhooks as readWebhooks } from '../../db/webhooks/webhook.ts'

const listedMax = 100

// Newest first, all databases.
export async function listWebhooks(
  deps: { readonly slots: SlotMap },
  filter: Parameters<typeof readWebhooks>[1],
): Promise<readonly ListedWebhook[]> {
  const lists = await Promise.all(deps.slots.databases.map((database) => readWebhooks(database, filter, listedMax)))
  return lists
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, listedMax)
}
