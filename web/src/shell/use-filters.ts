import type { EndpointName, WebInput } from '@ringproof/contract/web/api.ts'
import { useNavigate, useRouterState } from '@tanstack/react-router'

export type Filters = Readonly<Record<string, string | undefined>>

// The filters of a list: everything in its input but the traffic, the period and the page.
export type FilterOf<Name extends EndpointName> = Exclude<
  keyof WebInput<Name>,
  'traffic' | 'from' | 'until' | 'compareFrom' | 'compareUntil' | 'before'
>

// The filters of a screen stand in its address, so a view is a link. All values are texts.
export function useFilters(): readonly [Filters, (changes: Filters) => void] {
  const navigate = useNavigate()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const search = useRouterState({ select: (state) => state.location.searchStr })
  const filters = Object.fromEntries(new URLSearchParams(search)) as Filters
  const change = (changes: Filters) => {
    const next = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== undefined && value !== '')
    const address = `${pathname}${next.length === 0 ? '' : `?${new URLSearchParams(next as [string, string][])}`}`
    navigate({ href: address }).catch(() => undefined)
  }
  return [filters, change]
}

// Those of them that are set.
export function givenOf(filters: Filters, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])))
}

export function cleared(filters: Filters): Filters {
  return Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))
}
