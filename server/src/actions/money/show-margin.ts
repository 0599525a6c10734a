// Revenue, carrier cost and margin by destination, and what another price would have brought, on the last thirty days.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs, type Tariff } from '../../db/money/tariff.ts'
import { readTrafficCounts, readTrunkCosts } from '../../db/money/trunk-cost.ts'
import {
  type Margin,
  marginsOf,
  type PriceChange,
  type PricePreview,
  previewPrice,
  type TrunkCost,
  totalsOf,
} from '../../domain/money/margin.ts'
import { dayMs } from '../../domain/values/time.ts'

type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }

type ShownMargin = {
  readonly from: Date
  readonly until: Date
  readonly total: Omit<Margin, 'country' | 'mode'>
  readonly destinations: readonly Margin[]
  readonly tariffs: readonly Tariff[]
  readonly costs: readonly TrunkCost[]
  // Undefined unless a change was given.
  readonly preview: PricePreview | undefined
}

const daysShown = 30

// Whole days in UTC, up to the last one that is over.
export async function showMargin({ slots, nowSeconds }: Deps, change?: PriceChange): Promise<ShownMargin> {
  const now = new Date(nowSeconds() * 1_000)
  const until = new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  const from = new Date(until.getTime() - daysShown * dayMs)
  const [tariffs, costs, ...counted] = await Promise.all([
    readTariffs(slots.globalDatabase),
    readTrunkCosts(slots.globalDatabase),
    ...slots.databases.map((database) => readTrafficCounts(database, from, until)),
  ])
  const counts = counted.flat()
  const prices = tariffs.find(({ code }) => code === change?.tariff)?.prices ?? []
  return {
    from,
    until,
    total: totalsOf(counts, costs),
    destinations: marginsOf(counts, costs),
    tariffs,
    costs,
    preview: change && previewPrice(counts, costs, prices, change, now),
  }
}
