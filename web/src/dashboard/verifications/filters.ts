// The filters of the list, as they stand in the address.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import type { Traffic } from '../../shell/places.ts'
import { type FilterOf, type Filters, givenOf } from '../../shell/use-filters.ts'
import { type Period, rangeOf } from './period.ts'

export type ListInput = WebInput<'verifications'>

type Counted = WebInput<'verification-counts'>
type FilterName = FilterOf<'verifications'>

// Every filter of the contract: one that is not here stands in no address.
const names = {
  status: 'chosen',
  mode: 'chosen',
  service: 'chosen',
  number: 'removable',
  client: 'removable',
  ids: 'removable',
  provider: 'removable',
  country: 'removable',
  reason: 'removable',
  trunk: 'removable',
} as const satisfies Readonly<Record<FilterName, 'chosen' | 'removable'>>
const allNames = Object.keys(names) as readonly FilterName[]
export type RemovableName = {
  [Name in FilterName]: (typeof names)[Name] extends 'removable' ? Name : never
}[FilterName]

// What a person sees and may remove, beside the period, the status, the mode and the service.
export const removable = allNames.filter((name): name is RemovableName => names[name] === 'removable')

// Those that nothing is counted by: of a person, or of single verifications.
const searches: Readonly<Record<Exclude<FilterName, keyof Counted>, true>> = { number: true, client: true, ids: true }

export function inputOf(filters: Filters, traffic: Traffic, nowMs: number): ListInput {
  const given = givenOf(filters, allNames) as Omit<ListInput, 'traffic'>
  // Found by ID or number: wherever it is.
  const isEverywhere = isSearch(given)
  if (filters['from'] !== undefined && filters['until'] !== undefined) {
    return { traffic, ...given, from: filters['from'], until: filters['until'] }
  }
  if (isEverywhere && filters['period'] === undefined) return { traffic, ...given }
  return { traffic, ...given, from: String(rangeOf(periodOf(filters), nowMs).from) }
}

export function periodOf({ period }: Filters): Period {
  return period === 'week' || period === 'month' ? period : 'day'
}

export function hasFilters(filters: Filters): boolean {
  return Object.keys(filters).some((name) => name !== 'period')
}

// The input of the chart; undefined: what is found is not counted.
export function countedInput(input: ListInput): Counted | undefined {
  return isSearch(input) ? undefined : input
}

function isSearch(input: Partial<ListInput>): boolean {
  return allNames.some((name) => name in searches && input[name] !== undefined)
}
