// The filters of the list, as they stand in the address.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import type { Traffic } from '../../shell/places.ts'
import { type Filters, givenOf } from '../../shell/use-filters.ts'
import { dayMs, weekMs } from '../../time.ts'

export type ListInput = WebInput<'verifications'>

export const periods = { day: dayMs, week: weekMs, month: 30 * dayMs } as const
export type Period = keyof typeof periods

// What a person sees and may remove, beside the period, the status, the mode and the service.
export const removable = ['number', 'client', 'ids', 'provider', 'country', 'reason', 'trunk'] as const

const names = ['status', 'mode', 'service', ...removable] as const

export function inputOf(filters: Filters, traffic: Traffic, nowMs: number): ListInput {
  const given = givenOf(filters, names) as Omit<ListInput, 'traffic'>
  // Found by ID or number: wherever it is.
  const isEverywhere = given.ids !== undefined || given.number !== undefined || given.client !== undefined
  if (filters['from'] !== undefined && filters['until'] !== undefined) {
    return { traffic, ...given, from: filters['from'], until: filters['until'] }
  }
  if (isEverywhere && filters['period'] === undefined) return { traffic, ...given }
  // By the minute: the same question within a minute has the same answer in the cache.
  const fromMs = Math.floor(nowMs / 60_000) * 60_000 - periods[periodOf(filters)]
  return { traffic, ...given, from: String(fromMs) }
}

export function periodOf({ period }: Filters): Period {
  return period === 'week' || period === 'month' ? period : 'day'
}

export function hasFilters(filters: Filters): boolean {
  return Object.keys(filters).some((name) => name !== 'period')
}
