import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { listShares } from '../db/statistics-share.ts'
import type { AccountId } from '../domain/slot.ts'

// The links that work now. Their tokens are not known here.
export async function listStatisticsShares(
  { slots }: { readonly slots: SlotMap },
  accountId: AccountId,
): Promise<WebOutput<'statistics-shares'>> {
  const shares = await listShares(slots.globalDatabase, accountId)
  return {
    shares: shares.map(({ id, name, createdBy, createdAt, validUntil, hasMoney, filter }) => ({
      id,
      name,
      createdBy,
      createdAt: createdAt.getTime(),
      validUntil: validUntil.getTime(),
      from: filter.from,
      until: filter.until,
      hasMoney,
    })),
  }
}
