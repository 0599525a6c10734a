import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { type Period, periodOf, periods } from '../verifications/filters.ts'
import type { AddressOf } from './figures.ts'

const hourMs = 3_600_000

// By the hour: within it the question stays the same.
export function useStatistics() {
  const traffic = useTraffic()
  const [filters, change] = useFilters()
  const period = periodOf(filters)
  const until = Math.ceil(Date.now() / hourMs) * hourMs
  const given = ['mode', 'service', 'provider', 'country'].flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const input = { traffic, from: String(until - periods[period]), until: String(until), ...Object.fromEntries(given) }
  const addressOf: AddressOf = (more) => {
    const search = new URLSearchParams({
      ...Object.fromEntries(given),
      ...(period === 'day' ? {} : { period }),
      ...more,
    })
    return `${dashboardAddress('verifications', traffic)}${search.size === 0 ? '' : `?${search}`}`
  }
  const choosePeriod = (next: Period) => change({ period: next === 'day' ? undefined : next })
  return { query: useReadWith('statistics', input), traffic, period, choosePeriod, addressOf }
}
