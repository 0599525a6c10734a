// All accounts over all databases, the highest ID first, with what an operator looks at: money, caps, risk and activity.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import {
  type CustomerFilter,
  type CustomerRow,
  noFacts,
  readCustomerFacts,
  readCustomers,
} from '../../db/accounts/customer.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import { riskOf } from '../../domain/accounts/customer-risk.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { dayMs } from '../../domain/values/time.ts'

type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }

export async function listCustomers(
  { slots, nowSeconds }: Deps,
  filter: CustomerFilter,
  limit: number,
): Promise<WebOutput<'customers'>> {
  const now = new Date(nowSeconds() * 1_000)
  const [tariffs, ...pages] = await Promise.all([
    readTariffs(slots.globalDatabase),
    ...slots.databases.map((database) => readCustomers(database, filter, limit + 1)),
  ])
  const found = pages.flat().toSorted((one, other) => other.id - one.id)
  const rows = found.slice(0, limit)
  const ofDatabases = [...Map.groupBy(rows, ({ id }) => slots.databaseOf(slotOfAccount(id)))]
  const facts = await Promise.all(
    ofDatabases.map(([database, its]) =>
      readCustomerFacts(
        database,
        its.map(({ id }) => id),
        now,
      ),
    ),
  )
  const factsOf = new Map(facts.flatMap((known) => [...known]))
  const names = new Map(tariffs.map(({ code, name }) => [code, name]))
  return {
    customers: rows.map((row) => {
      const counted = factsOf.get(row.id) ?? noFacts
      return {
        id: row.id,
        name: row.name,
        email: row.email,
        state: customerState(row),
        balance: toDecimal(row.balance),
        tariff: names.get(row.tariff) ?? row.tariff,
        services: row.services,
        dayCap: row.dayCap === null ? null : toDecimal(row.dayCap),
        spentToday: toDecimal(row.spentToday),
        calls: counted.calls,
        rang: shareOf(counted),
        risk: shownRisk(riskOf({ ...counted, ageDays: ageDays(row, now) })),
        lastRequestAt: row.lastRequestAt?.getTime() ?? null,
      }
    }),
    nextBefore: found.length > limit ? (rows.at(-1)?.id ?? null) : null,
  }
}

export function customerState({ blockedAt, closedAt }: Pick<CustomerRow, 'blockedAt' | 'closedAt'>) {
  return closedAt ? 'closed' : blockedAt ? 'blocked' : 'active'
}

export function ageDays({ createdAt }: Pick<CustomerRow, 'createdAt'>, now: Date): number {
  return Math.max(0, (now.getTime() - createdAt.getTime()) / dayMs)
}

export function shareOf({ dialled, rang }: { readonly dialled: number; readonly rang: number }): number | null {
  return dialled === 0 ? null : rang / dialled
}

export function shownRisk({ score, level, signs }: ReturnType<typeof riskOf>) {
  return { score, level, signs: signs.map((sign) => ({ ...sign })) }
}
