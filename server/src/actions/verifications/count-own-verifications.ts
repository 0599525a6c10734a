// How many verifications of an account there were, hour by hour or day by day, for the chart above their list.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type CountFilter, readCounts } from '../../db/verifications/call-counts.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { hourMs } from '../../domain/values/time.ts'

const hoursMax = 72

export async function countOwnVerifications(
  { slots }: { readonly slots: SlotMap },
  filter: CountFilter,
): Promise<WebOutput<'verification-counts'>> {
  const database = slots.databaseOf(slotOfAccount(filter.accountId))
  const account = await readAccount(database, filter.accountId)
  const zone = account?.timeZone ?? 'UTC'
  const by = filter.until.getTime() - filter.from.getTime() <= hoursMax * hourMs ? 'hour' : 'day'
  const counts = await readCounts<'hour' | 'day'>(database, filter, [by], zone)
  return {
    by,
    from: filter.from.getTime(),
    until: filter.until.getTime(),
    counts: counts
      .map(({ calls, succeeded, failed, charged, ...count }) => ({
        at: count[by],
        calls,
        succeeded,
        failed,
        charged: toDecimal(charged as MicroAmount),
      }))
      .toSorted((one, other) => one.at - other.at),
  }
}
