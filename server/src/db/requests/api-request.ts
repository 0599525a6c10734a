// Reads the API log. api-request-log.ts writes it.

import type { RefusalName } from '@ringproof/contract/errors.ts'
import type { AccountId, ServiceId, VerificationId } from '../../domain/core/slot.ts'
import type { AuthScheme, LoggedParameters, LoggedResponse } from '../../domain/requests/api-request.ts'
import { conditionsOf, type Meanings } from '../core/conditions.ts'
import type { Session } from '../core/database.ts'

export type ApiRequestRow = {
  readonly at: Date
  readonly id: string
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly method: string
  readonly verb: string
  readonly httpStatus: number
  readonly code: number | null
  readonly refusal: RefusalName | null
  readonly ms: number
  readonly address: string
  readonly verificationId: VerificationId | null
}

export type ApiRequestDetail = ApiRequestRow & {
  readonly auth: AuthScheme
  readonly userAgent: string
  readonly request: LoggedParameters
  readonly response: LoggedResponse
}

// The list, and its counts.
type CountedFilter = {
  readonly isTest: boolean | undefined
  readonly serviceId: ServiceId | undefined
}

const meanings: Meanings<CountedFilter> = { isTest: 'is_test = ?', serviceId: 'service_id = ?' }

export type ApiRequestFilter = CountedFilter & {
  readonly method: string | undefined
  // Refused, for one of these reasons.
  readonly refusals: readonly RefusalName[] | undefined
  readonly isServed: boolean | undefined
  readonly since: Date
  readonly until: Date | undefined
  // The last row of the page before.
  readonly before: { readonly at: Date; readonly id: string } | undefined
}

const listColumns = `at, id, service_id AS "serviceId", is_test AS "isTest", method, verb, http_status AS "httpStatus", code, refusal, ms,
  address, verification_id AS "verificationId"`

// Newest first. Conditions are written out, so that an index for refusals can serve them and hours outside the range are not read.
export async function readApiRequests(
  session: Session,
  accountId: AccountId,
  filter: ApiRequestFilter,
  limit: number,
): Promise<readonly ApiRequestRow[]> {
  const { isTest, serviceId, method, refusals, isServed, since, until, before } = filter
  const counted = conditionsOf(meanings, { isTest, serviceId })
  const values = [...counted.values]
  const put = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    ...(counted.where === '' ? [] : [counted.where]),
    `account_id = ${put(accountId)}`,
    `at >= ${put(since)}`,
    ...(until ? [`at < ${put(until)}`] : []),
    ...(before ? [`at <= ${put(before.at)} AND (at, id) < (${put(before.at)}, ${put(before.id)}::uuid)`] : []),
    ...(method === undefined ? [] : [`method = ${put(method)}`]),
    ...(isServed === undefined ? [] : [isServed ? 'code IS NULL' : 'code IS NOT NULL']),
    ...(refusals === undefined ? [] : [`code IS NOT NULL AND refusal = ANY (${put(refusals)})`]),
  ]
  const { rows } = await session.query<ApiRequestRow>(
    `SELECT ${listColumns} FROM api_requests WHERE ${conditions.join(' AND ')} ORDER BY at DESC, id DESC LIMIT ${put(limit)}`,
    values,
  )
  return rows
}

export async function readApiRequest(
  session: Session,
  accountId: AccountId,
  id: string,
): Promise<ApiRequestDetail | undefined> {
  const { rows } = await session.query<ApiRequestDetail>(
    `SELECT ${listColumns}, auth, user_agent AS "userAgent", request, response FROM api_requests
     WHERE id = $2 AND account_id = $1`,
    [accountId, id],
  )
  return rows[0]
}

// A request and what it started are written within seconds of each other, so few rows are read. A retry that returned the same
// verification came later.
export async function findStartRequest(
  session: Session,
  accountId: AccountId,
  verificationId: VerificationId,
): Promise<string | undefined> {
  const { rows } = await session.query<{ id: string }>(
    `SELECT request.id FROM api_requests AS request, LATERAL (SELECT to_timestamp(($2::bigint >> 23) + id_epoch()) AS at) AS accepted
     WHERE request.account_id = $1 AND request.verification_id = $2 AND request.method = ANY ($3) AND request.code IS NULL
       AND request.at >= accepted.at - make_interval(secs => $4) AND request.at < accepted.at + interval '2 seconds'
     ORDER BY request.at LIMIT 1`,
    [accountId, verificationId, startMethods, requestSecondsMax],
  )
  return rows[0]?.id
}

const startMethods = ['initCall', 'initRepeat', 'inboundCallWaiting']
const requestSecondsMax = 60

export type ApiRequestCount = {
  // The start of a column of the chart.
  readonly since: Date
  readonly method: string
  // Empty if it was served.
  readonly refusal: RefusalName | ''
  readonly subject: string
  readonly msMax: number
  readonly requests: number
  readonly lastAt: Date
  readonly serviceIds: readonly ServiceId[]
}

type CountFilter = CountedFilter & {
  readonly since: Date
  readonly columnMinutes: number
}

// Every request, the ones without a row in the log included.
export async function readApiRequestCounts(
  session: Session,
  accountId: AccountId,
  { since, columnMinutes, ...counted }: CountFilter,
): Promise<readonly ApiRequestCount[]> {
  const { where, values } = conditionsOf(meanings, counted, 3)
  const { rows } = await session.query<ApiRequestCount>(
    `SELECT date_bin(make_interval(mins => $3), since, 'epoch') AS since, method, refusal, subject, ms_max AS "msMax",
       sum(requests)::bigint AS requests, max(last_at) AS "lastAt", array_agg(DISTINCT service_id) AS "serviceIds"
     FROM api_request_counts
     WHERE account_id = $1 AND since >= $2 ${where === '' ? '' : `AND ${where}`}
     GROUP BY 1, 2, 3, 4, 5`,
    [accountId, since, columnMinutes, ...values],
  )
  return rows
}
