import type { RefusalName } from '@ringproof/contract/errors.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ApiRequestCount, readApiRequestCounts } from '../../db/requests/api-request.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { isOurFault } from '../../domain/requests/refusal-kind.ts'
import { hourMs } from '../../domain/values/time.ts'

type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }

type Query = {
  readonly isTest: boolean | undefined
  readonly serviceId: ServiceId | undefined
  readonly hours: number
}

export type ErrorGroup = {
  readonly refusal: RefusalName
  readonly subject: string
  readonly method: string
  readonly requests: number
  readonly lastAt: Date
  readonly serviceIds: readonly ServiceId[]
  // In each column of the chart.
  readonly columns: readonly number[]
}

type Counts = {
  readonly total: number
  readonly refused: number
  // Of the refused: not because of the request.
  readonly ours: number
  // Most of the requests took at most this long; undefined without requests.
  readonly p50Ms: number | undefined
  readonly p95Ms: number | undefined
  // Oldest first. The last one is still open.
  readonly columns: readonly { readonly since: Date; readonly served: number; readonly refused: number }[]
  readonly columnMinutes: number
  // Most frequent first.
  readonly groups: readonly ErrorGroup[]
}

const columnCount = 48
// Counts are kept for ten minutes each.
const columnMinutesMin = 10

// How many requests of an account were served and refused, and why.
export async function countApiErrors({ slots, nowSeconds }: Deps, accountId: AccountId, query: Query): Promise<Counts> {
  const { isTest, serviceId, hours } = query
  const columnMinutes = Math.max(columnMinutesMin, (hours * 60) / columnCount)
  const columnMs = columnMinutes * 60_000
  const count = Math.ceil((hours * hourMs) / columnMs)
  const firstMs = (Math.floor((nowSeconds() * 1_000) / columnMs) - count + 1) * columnMs
  const filter = { isTest, serviceId, since: new Date(firstMs), columnMinutes }
  const counts = await readApiRequestCounts(slots.databaseOf(slotOfAccount(accountId)), accountId, filter)
  const columnOf = ({ since }: ApiRequestCount) => Math.round((since.getTime() - firstMs) / columnMs)
  const sum = (of: readonly ApiRequestCount[]) => of.reduce((total, { requests }) => total + requests, 0)
  const inColumn = (of: readonly ApiRequestCount[], column: number) => sum(of.filter((one) => columnOf(one) === column))
  const refused = counts.filter(({ refusal }) => refusal !== '')
  const served = counts.filter(({ refusal }) => refusal === '')
  const columns = Array.from({ length: count }, (_, at) => ({
    since: new Date(firstMs + at * columnMs),
    served: inColumn(served, at),
    refused: inColumn(refused, at),
  }))
  return {
    total: sum(counts),
    refused: sum(refused),
    ours: sum(refused.filter(({ refusal }) => refusal !== '' && isOurFault(refusal))),
    p50Ms: percentile(counts, 0.5),
    p95Ms: percentile(counts, 0.95),
    columns,
    columnMinutes,
    groups: groupsOf(refused, (of) => columns.map((_, at) => inColumn(of, at))),
  }
}

function groupsOf(
  refused: readonly ApiRequestCount[],
  columnsOf: (of: readonly ApiRequestCount[]) => readonly number[],
): readonly ErrorGroup[] {
  const groups = Map.groupBy(refused, ({ refusal, subject, method }) => `${refusal} ${subject} ${method}`)
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      if (!first || first.refusal === '') return []
      const { refusal, subject, method } = first
      const requests = group.reduce((total, one) => total + one.requests, 0)
      const lastAt = new Date(Math.max(...group.map((one) => one.lastAt.getTime())))
      const serviceIds = [...new Set(group.flatMap((one) => one.serviceIds))]
      return [{ refusal, subject, method, requests, lastAt, serviceIds, columns: columnsOf(group) }]
    })
    .toSorted((a, b) => b.requests - a.requests || b.lastAt.getTime() - a.lastAt.getTime())
}

// The bound below which this share of the requests stayed.
function percentile(counts: readonly ApiRequestCount[], share: number): number | undefined {
  const bounds = [...Map.groupBy(counts, ({ msMax }) => msMax)]
    .map(([msMax, group]) => ({ msMax, requests: group.reduce((total, one) => total + one.requests, 0) }))
    .toSorted((a, b) => a.msMax - b.msMax)
  const total = bounds.reduce((sum, { requests }) => sum + requests, 0)
  let seen = 0
  return bounds.find(({ requests }) => {
    seen += requests
    return seen >= total * share
  })?.msMax
}
