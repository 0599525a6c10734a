import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readCounts } from '../../db/verifications/call-counts.ts'
import { countFailedWebhooks } from '../../db/webhooks/webhook.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { dayMs, hourMs } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'

const days = 7

type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }

export async function showOverview({ slots, nowSeconds }: Deps, accountId: AccountId): Promise<WebOutput<'overview'>> {
  const database = slots.databaseOf(slotOfAccount(accountId))
  const untilMs = Math.ceil((nowSeconds() * 1_000) / hourMs) * hourMs
  const week = { accountId, from: new Date(untilMs - days * dayMs), until: new Date(untilMs), isTest: false }
  const [account, counts, failedWebhooks] = await Promise.all([
    readAccount(database, accountId),
    readCounts(database, week, [], 'UTC'),
    countFailedWebhooks(database, accountId, new Date(untilMs - dayMs)),
  ])
  if (!account) throw new Denial('not-found')
  const spentADay = (counts[0]?.charged ?? 0) / days
  return {
    balance: toDecimal(account.balance),
    held: toDecimal(account.held),
    daysLeft: spentADay > 0 ? Math.max(0, Math.floor(account.balance / spentADay)) : null,
    failedWebhooks,
  }
}
