import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { requestResults } from '@ringproof/contract/lists/requests.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  type ApiRequestCount,
  type ApiRequestDetail,
  type ApiRequestFilter,
  type ApiRequestRow,
  readApiRequest,
  readApiRequestCounts,
  readApiRequests,
} from '../../db/requests/api-request.ts'
import { readVerification, type Verification } from '../../db/verifications/verification.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { isOurFault } from '../../domain/requests/api-request.ts'
import { curlCommand, type KnownValues, requestText, responseText } from '../../domain/requests/show-request.ts'
import { hourMs } from '../../domain/values/time.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import type { OwnReader } from '../people/visitor.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
}

export type ApiRequestQuery = {
  // Undefined: both.
  readonly isTest: boolean | undefined
  readonly serviceId: ServiceId | undefined
  readonly method: string | undefined
  readonly result: (typeof requestResults)[number] | undefined
  readonly code: number | undefined
  readonly since: Date
  readonly until: Date | undefined
  readonly before: ApiRequestFilter['before']
}

type Page = {
  readonly requests: readonly ApiRequestRow[]
  // There may be more before this one.
  readonly nextBefore: ApiRequestFilter['before']
}

// Of one account, newest first.
export async function listApiRequests(
  { slots }: Pick<Deps, 'slots'>,
  accountId: AccountId,
  query: ApiRequestQuery,
  limit: number,
): Promise<Page> {
  const { result, code, ...rest } = query
  const filter = { ...rest, isServed: servedOf(query), refusals: refusalsOf(result, code) }
  const database = slots.databaseOf(slotOfAccount(accountId))
  // One more than asked for shows whether there are more.
  const rows = await readApiRequests(database, accountId, filter, limit + 1)
  const requests = rows.slice(0, limit)
  const last = requests.at(-1)
  return { requests, nextBefore: rows.length > limit && last ? { at: last.at, id: last.id } : undefined }
}

function servedOf({ result, code }: ApiRequestQuery): boolean | undefined {
  if (code !== undefined) return false
  return result === undefined ? undefined : result === 'ok'
}

function refusalsOf(result: ApiRequestQuery['result'], code: number | undefined): readonly RefusalName[] | undefined {
  if (code === undefined && (result === undefined || result === 'ok')) return undefined
  const names = Object.keys(refusals) as RefusalName[]
  return names.filter(
    (name) =>
      (code === undefined || refusals[name].code === code) &&
      (result === undefined || result === 'ok' || isOurFault(name) === (result === 'ours')),
  )
}

type Shown = {
  readonly row: ApiRequestDetail
  readonly requestText: string
  readonly responseText: string
  readonly curl: string
}

// One request by its X-Request-Id; undefined if the account has none, or it is kept no longer.
export async function showApiRequest(
  deps: Deps,
  { accountId, rights }: OwnReader,
  id: string,
  publicUrl: string,
): Promise<Shown | undefined> {
  const database = deps.slots.databaseOf(slotOfAccount(accountId))
  const row = await readApiRequest(database, accountId, id)
  if (!row) return undefined
  const { verificationId } = row
  const found = verificationId === null ? undefined : await readVerification(database, verificationId)
  const known = found?.accountId === accountId ? knownValues(deps, found, rights) : {}
  return {
    row,
    requestText: requestText(row, known),
    responseText: responseText(row, known),
    curl: curlCommand(row, publicUrl),
  }
}

function knownValues(
  { recordKeys, nowSeconds }: Deps,
  verification: Verification,
  rights: OwnReader['rights'],
): KnownValues {
  const { id, serviceId, personSealed, code, mode, callerNumber } = verification
  const { phoneMask, client, unique } = unsealPerson(recordKeys, serviceId, personSealed)
  const isOpen = maySeeCode(verification, rights, nowSeconds() * 1_000)
  return {
    phone: phoneMask,
    client,
    unique,
    unique_request_id: unique,
    uid: id,
    ...(isOpen && code !== null && { code }),
    ...(isOpen && mode === 'inbound' && callerNumber !== null && { confirmation_number: String(callerNumber) }),
  }
}

type Query = {
  readonly isTest: boolean | undefined
  readonly serviceId: ServiceId | undefined
  readonly hours: number
}

type ErrorGroup = {
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
export async function countApiErrors(
  { slots, nowSeconds }: Pick<Deps, 'slots' | 'nowSeconds'>,
  accountId: AccountId,
  query: Query,
): Promise<Counts> {
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
