// The API log.

import { errorAdvice } from '@ringproof/contract/error-advice.ts'
import { errorPages } from '@ringproof/contract/error-pages.ts'
import { errorSettings } from '@ringproof/contract/error-settings.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { listServices } from '../../../actions/accounts/services.ts'
import {
  type ApiRequestQuery,
  countApiErrors,
  listApiRequests,
  showApiRequest,
} from '../../../actions/requests/requests-view.ts'
import { showStartRequest } from '../../../actions/verifications/own-verification-view.ts'
import type { ApiRequestRow } from '../../../db/requests/api-request.ts'
import type { AccountId, ServiceId, VerificationId } from '../../../domain/core/slot.ts'
import { hourSeconds } from '../../../domain/values/time.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, type Handlers, readerOf } from '../core/handlers.ts'

type Listed = WebOutput<'api-requests'>['requests'][number]
const pageRows = 50
const periodHours = { '1h': 1, '24h': 24, '7d': 168 } as const

export function logHandlers(deps: WebDeps) {
  return {
    'api-requests': async (visit, input) => {
      const accountId = accountOf(visit)
      const { requests, nextBefore } = await listApiRequests(deps, accountId, queryOf(deps, input), pageRows)
      const names = await serviceNames(deps, accountId)
      return {
        requests: requests.map((row) => listed(row, names)),
        before: nextBefore ? `${nextBefore.at.getTime()}_${nextBefore.id}` : null,
      }
    },
    'api-request': async (visit, { id }) => {
      const shown = await showApiRequest(deps, readerOf(visit.visitor), id, deps.about.publicUrl)
      if (!shown) throw new Denial('not-found')
      return detailOf(shown, await serviceNames(deps, accountOf(visit)))
    },
    'verification-request': async (visit, { verificationId }) => {
      const id = Number(verificationId) as VerificationId
      const shown = await showStartRequest(deps, readerOf(visit.visitor), id, deps.about.publicUrl)
      return { request: shown ? detailOf(shown, await serviceNames(deps, accountOf(visit))) : null }
    },
    'api-errors': async (visit, input) => {
      const accountId = accountOf(visit)
      const query = countedQuery(input)
      const counts = await countApiErrors(deps, accountId, query)
      const { total, refused, ours, p50Ms, p95Ms, columnMinutes } = counts
      const hasAny =
        total > 0 || (await countApiErrors(deps, accountId, { ...query, hours: periodHours['7d'] })).total > 0
      return {
        total,
        refused,
        ours,
        p50Ms: p50Ms ?? null,
        p95Ms: p95Ms ?? null,
        columns: counts.columns.map(({ since, ...column }) => ({ at: since.getTime(), ...column })),
        columnMinutes,
        groups: counts.groups.map(({ refusal, lastAt, columns, method, serviceIds, ...group }) => ({
          ...group,
          serviceId: serviceIds.length === 1 ? (serviceIds[0] ?? null) : null,
          method: method as Listed['method'],
          refusal: refusalText(refusal),
          httpStatus: refusals[refusal].status,
          lastAt: lastAt.getTime(),
          columns: [...columns],
        })),
        hasAny,
      }
    },
  } satisfies Partial<Handlers>
}

function queryOf({ nowSeconds }: WebDeps, input: WebInput<'api-requests'>): ApiRequestQuery {
  const { method, result, code, from, to, before } = input
  const { hours, ...counted } = countedQuery(input)
  const [atMs, id] = before?.split('_') ?? []
  return {
    ...counted,
    method,
    result,
    code: code === undefined ? undefined : Number(code),
    since: new Date(from === undefined ? (nowSeconds() - hours * hourSeconds) * 1_000 : Number(from)),
    until: to === undefined ? undefined : new Date(Number(to)),
    before: id === undefined ? undefined : { at: new Date(Number(atMs)), id },
  }
}

// What the list and the counts above it have in common.
function countedQuery({ traffic, period, serviceId }: WebInput<'api-errors'>) {
  return {
    isTest: traffic === 'test',
    serviceId: serviceId === undefined ? undefined : (Number(serviceId) as ServiceId),
    hours: periodHours[period],
  }
}

async function serviceNames(deps: WebDeps, accountId: AccountId): Promise<ReadonlyMap<number, string>> {
  const services = await listServices(deps, accountId)
  return new Map(services.map(({ id, settings }) => [id, String(settings.name)]))
}

type ShownRequest = NonNullable<Awaited<ReturnType<typeof showApiRequest>>>

function detailOf(
  { row, requestText, responseText, curl }: ShownRequest,
  names: ReadonlyMap<number, string>,
): WebOutput<'api-request'> {
  return {
    ...listed(row, names),
    auth: row.auth,
    userAgent: row.userAgent,
    otherFields: row.request.others,
    isUnreadable: row.request.kind === 'unreadable',
    request: requestText,
    response: responseText,
    curl,
  }
}

function listed(row: ApiRequestRow, names: ReadonlyMap<number, string>): Listed {
  const { id, at, serviceId, method, verb, httpStatus, refusal, ms, address, verificationId } = row
  return {
    id,
    at: at.getTime(),
    serviceId,
    serviceName: names.get(serviceId) ?? '',
    method: method as Listed['method'],
    verb,
    httpStatus,
    refusal: refusal && refusalText(refusal),
    ms,
    address,
    verificationId,
  }
}

function refusalText(name: RefusalName): NonNullable<Listed['refusal']> {
  const { code } = refusals[name]
  const { en, ru } = errorAdvice[name]
  return { code, title: errorPages[code].title, fix: { en, ru }, settings: [...(errorSettings[name] ?? [])] }
}
