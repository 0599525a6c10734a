// A day of the API log.

import { errorAdvice } from '@ringproof/contract/error-advice.ts'
import { errorPages } from '@ringproof/contract/error-pages.ts'
import { errorSettings } from '@ringproof/contract/error-settings.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'

type Summary = WebOutput<'api-errors'>
type Listed = WebOutput<'api-requests'>['requests'][number]

const halfHourMs = 1_800_000
export const requestId = '01938a7f-4c1e-4f0a-9b63-5d2c8e7a1f93'

export function logAnswers(nowMs: number): {
  readonly 'api-errors': Summary
  readonly 'api-requests': WebOutput<'api-requests'>
  readonly 'api-request': WebOutput<'api-request'>
  readonly 'verification-request': WebOutput<'verification-request'>
} {
  const requests = listed(nowMs)
  const opened = requests[3]
  if (!opened) throw new Error('no request to open')
  const request: WebOutput<'api-request'> = {
    ...opened,
    auth: 'header',
    userAgent: 'ringproof-php/1.4',
    otherFields: 0,
    isUnreadable: false,
    request:
      'POST /v1.0/initCall\nAuthorization: Bearer $RINGPROOF_KEY.1024\nContent-Type: application/json\nUser-Agent: ringproof-php/1.4\n\n{\n  "phone": "•••••••••••",\n  "client": "••••••••••"\n}',
    response: `X-Request-Id: ${requestId}\nRetry-After: 6\n\n{\n  "status": false,\n  "error": "${refusals.numberCooldown.en}",\n  "code": 19\n}`,
    curl: `curl -X POST -H "Authorization: Bearer $RINGPROOF_KEY.1024" 'https://ring.example.org/v1.0/initCall'`,
  }
  return {
    'api-errors': summary(nowMs),
    'api-requests': { requests, before: `${nowMs}_${requestId}` },
    'api-request': request,
    'verification-request': { request: { ...request, ...served(nowMs) } },
  }
}

// The request of a verification twenty minutes ago.
function served(nowMs: number) {
  return {
    at: nowMs - 20 * 60_000,
    httpStatus: 200,
    refusal: null,
    ms: 14,
    verificationId: 233_715_489_767_425,
    request:
      'POST /v1.0/initCall\nAuthorization: Bearer $RINGPROOF_KEY.1024\nContent-Type: application/json\nUser-Agent: ringproof-php/1.4\n\n{\n  "phone": "7000***6671",\n  "client": "user 88209",\n  "unique": "5f2e7d41c"\n}',
    response: `X-Request-Id: ${requestId}\n\n{\n  "status": true,\n  "vendor_id": 233715489767425,\n  "phone": "7000***6671",\n  "code": "7043",\n  "client": "user 88209",\n  "unique_request_id": "5f2e7d41c",\n  "exists": false\n}`,
  }
}

// Nothing was sent yet.
export const quietLog = {
  'api-errors': {
    total: 0,
    refused: 0,
    ours: 0,
    p50Ms: null,
    p95Ms: null,
    columns: [],
    columnMinutes: 30,
    groups: [],
    hasAny: false,
  },
  'api-requests': { requests: [], before: null },
} satisfies { 'api-errors': Summary; 'api-requests': WebOutput<'api-requests'> }

const sizes = [310, 340, 352, 301, 290, 296, 240, 221, 160, 92, 60, 41, 33, 30, 28, 26, 27, 30, 36, 41, 44, 60, 71, 84]

function summary(nowMs: number): Summary {
  const groups = [
    group(nowMs, 'numberCooldown', '', 'initCall', 41, 17),
    group(nowMs, 'numberLimitReached', '', 'initCall', 12, 412),
    group(nowMs, 'countryNotAllowed', 'UZ', 'initCall', 9, 118),
    group(nowMs, 'invalidParameter', 'code', 'initCall', 6, 58),
    group(nowMs, 'addressNotAllowed', '', 'checkPhone', 3, 5_400),
  ]
  const first = Math.floor(nowMs / halfHourMs) * halfHourMs - 47 * halfHourMs
  const columns = Array.from({ length: 48 }, (_, at) => ({
    at: first + at * halfHourMs,
    served: Math.round(sizes[at % sizes.length] ?? 0) + (at % 3) * 7,
    refused: groups.reduce((sum, one) => sum + (one.columns[at] ?? 0), 0),
  }))
  const refused = groups.reduce((sum, one) => sum + one.requests, 0)
  const total = columns.reduce((sum, one) => sum + one.served, refused)
  return { total, refused, ours: 0, p50Ms: 12, p95Ms: 50, columns, columnMinutes: 30, groups, hasAny: true }
}

function group(
  nowMs: number,
  name: RefusalName,
  subject: string,
  method: Listed['method'],
  requests: number,
  secondsAgo: number,
): Summary['groups'][number] {
  const columns = Array.from({ length: 48 }, () => 0)
  for (let n = 0; n < requests; n++) {
    const at = 47 - ((n * n + n * requests) % 29)
    columns[at] = (columns[at] ?? 0) + 1
  }
  const { status: httpStatus } = refusals[name]
  return {
    refusal: refusalOf(name),
    subject,
    serviceId: 1024,
    method,
    httpStatus,
    requests,
    lastAt: nowMs - secondsAgo * 1_000,
    columns,
  }
}

function listed(nowMs: number): Listed[] {
  const rows: readonly [Listed['method'], string, number, number, number | null, RefusalName | null, string][] = [
    ['getInfo', 'GET', 1.1, 3, 3_605_214_870_623, null, '23'],
    ['getInfo', 'GET', 2.4, 2, 3_605_214_870_623, null, '24'],
    ['initCall', 'POST', 11, 38, 3_605_214_870_623, null, '23'],
    ['initCall', 'POST', 17, 4, null, 'numberCooldown', '23'],
    ['inboundCallWaiting', 'POST', 26, 31, 3_605_214_868_658, null, '24'],
    ['initCall', 'POST', 41, 36, 3_605_214_866_693, null, '23'],
    ['initCall', 'POST', 58, 2, null, 'invalidParameter', '9'],
    ['initCall', 'POST', 63, 41, 3_605_214_863_811, null, '24'],
    ['getBalance', 'GET', 92, 2, null, null, '23'],
    ['initCall', 'POST', 118, 3, null, 'countryNotAllowed', '23'],
    ['checkPhone', 'POST', 140, 9, null, null, '24'],
  ]
  return rows.map(([method, verb, secondsAgo, ms, verificationId, refusal, host], at) => ({
    id: at === 3 ? requestId : requestId.replace('0193', `a${at.toString(16)}5d`),
    at: nowMs - secondsAgo * 1_000,
    serviceId: 1024,
    serviceName: 'My shop',
    method,
    verb,
    httpStatus: refusal === null ? 200 : refusals[refusal].status,
    refusal: refusal && refusalOf(refusal),
    ms,
    address: `198.51.100.${host}`,
    verificationId,
  }))
}

function refusalOf(name: RefusalName): NonNullable<Listed['refusal']> {
  const { code } = refusals[name]
  const { en, ru } = errorAdvice[name]
  return { code, title: errorPages[code].title, fix: { en, ru }, settings: [...(errorSettings[name] ?? [])] }
}
