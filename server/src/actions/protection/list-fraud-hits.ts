import type { SlotMap } from '../../db/core/slot-map.ts'
import { type FraudHitFilter, readFraudHits, type StoredFraudHit } from '../../db/protection/fraud-hit.ts'
import { slotOfService } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'

// The prefix is the number without its last four digits; undefined if prefixes were counted together.
type ListedHit = Omit<StoredFraudHit, 'prefixSealed'> & { readonly prefix: string | undefined }

const rowsMax = 1_000

// Newest first, all databases, at most 1,000.
export async function listFraudHits(
  { slots, recordKeys }: { readonly slots: SlotMap; readonly recordKeys: KeyRing },
  filter: FraudHitFilter,
): Promise<readonly ListedHit[]> {
  const { serviceId } = filter
  const databases = serviceId === undefined ? slots.databases : [slots.databaseOf(slotOfService(serviceId))]
  const found = await Promise.all(databases.map((database) => readFraudHits(database, filter, rowsMax)))
  return found
    .flat()
    .toSorted((a, b) => b.minute.getTime() - a.minute.getTime() || b.hits - a.hits)
    .slice(0, rowsMax)
    .map(({ prefixSealed, ...hit }) => ({
      ...hit,
      prefix: prefixSealed === null ? undefined : unseal(recordKeys, 'fraud-prefix', hit.serviceId, prefixSealed),
    }))
}
