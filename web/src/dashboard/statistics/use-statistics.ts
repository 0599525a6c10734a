import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { type FilterOf, givenOf, useFilters } from '../../shell/use-filters.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { periodOf } from '../verifications/filters.ts'
import { type Period, rangeOf } from '../verifications/period.ts'
import type { AddressOf } from './figures.ts'

// Every filter of the contract: one that is not here stands in no address.
const filterNames: Readonly<Record<FilterOf<'statistics'>, true>> = {
  mode: true,
  service: true,
  provider: true,
  country: true,
}

export function useStatistics() {
  const traffic = useTraffic()
  const [filters, change] = useFilters()
  const period = periodOf(filters)
  const given = givenOf(filters, Object.keys(filterNames))
  const chosen = rangeIn(filters['from'], filters['until'])
  const compared = rangeIn(filters['compareFrom'], filters['compareUntil'])
  const { from, until } = rangeOf(period, Date.now())
  const shown = chosen ?? { from: String(from), until: String(until) }
  const input = {
    traffic,
    ...shown,
    ...(compared && { compareFrom: compared.from, compareUntil: compared.until }),
    ...given,
  }
  const addressOf: AddressOf = (more) => {
    const search = new URLSearchParams({
      ...given,
      ...(chosen ?? (period === 'day' ? {} : { period })),
      ...more,
    })
    return `${dashboardAddress('verifications', traffic)}${search.size === 0 ? '' : `?${search}`}`
  }
  const none = { from: undefined, until: undefined, compareFrom: undefined, compareUntil: undefined }
  const choosePeriod = (next: Period) => change({ ...none, period: next === 'day' ? undefined : next })
  return {
    query: useReadWith('statistics', input),
    traffic,
    // Undefined: any other one.
    period: chosen ? undefined : period,
    isCompared: compared !== undefined,
    choosePeriod,
    change,
    addressOf,
  }
}

function rangeIn(from: string | undefined, until: string | undefined) {
  if (from === undefined || until === undefined || !/^\d{13} \d{13}$/.test(`${from} ${until}`)) return undefined
  return from < until ? { from, until } : undefined
}
