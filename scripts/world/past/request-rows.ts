// The API log: the requests that started or were refused, and those that asked how a call went. The log's own code says what is kept of
// them, and counts them.

import { randomUUID } from 'node:crypto'
import { refusals } from '@ringproof/contract/errors.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import { createCounters } from '../../../server/src/db/requests/api-request-counters.ts'
import { type MicroAmount, toDecimal } from '../../../server/src/domain/money/money.ts'
import { phoneInfoOf } from '../../../server/src/domain/numbers/number-info.ts'
import { mask } from '../../../server/src/domain/numbers/phone-number.ts'
import { type CompletedRequest, toLoggedRequest } from '../../../server/src/domain/requests/api-request.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import { customers } from '../cast.ts'
import type { Call, Refused, Waiting } from '../events.ts'
import type { Draw } from '../random.ts'
import { country } from '../switching.ts'
import type { Numbered, RowDeps } from './call-rows.ts'
import { type Row, timeOf } from './insert.ts'

// A completed request with the time at which it came.
type PastRequest = { readonly atMs: number; readonly request: CompletedRequest }

const countedMs = 600_000
// Of a refused request: its digits are not kept.
const unknownCode = '0001'

export function startRequest(deps: RowDeps, draw: Draw, { id, event }: Numbered<Call | Waiting>): PastRequest {
  const { phone, key, atMs } = event
  const started = { status: true, vendor_id: id, phone: mask(phone) }
  const ms = msOf(draw, key)
  if ('confirmationNumber' in event) {
    return completed(deps, event, {
      method: 'inboundCallWaiting',
      atMs: atMs - ms + 2,
      ms,
      sent: { phone, callback_url: customers[event.customer].receiver },
      response: { ...started, confirmation_number: String(event.confirmationNumber) },
    })
  }
  const { code, client, unique, mode } = event
  return completed(deps, event, {
    method: 'initCall',
    atMs: atMs - ms + 4,
    ms,
    // Every customer chooses the code itself.
    sent: {
      phone,
      code,
      ...(client === '' ? {} : { client }),
      ...(unique === undefined ? {} : { unique }),
      ...(mode === 'flash' ? {} : { [mode]: true }),
    },
    response: {
      ...started,
      code,
      client,
      ...(unique === undefined ? {} : { unique_request_id: unique, exists: false }),
    },
  })
}

// Half of the customers wait for a webhook or for the person, the others ask.
export function infoRequest(deps: RowDeps, draw: Draw, { id, event }: Numbered<Call>): readonly PastRequest[] {
  const { key, atMs, endedMs, phone, code, client, unique, price, isSucceeded, balanceBefore } = event
  if (draw(key, 'asks') < 0.5) return []
  const response = {
    status: true,
    vendor_id: id,
    init_time: Math.floor(atMs / 1_000),
    call_status: isSucceeded ? 1 : 0,
    is_repeated: false,
    repeatable: false,
    ...(unique === undefined ? {} : { unique }),
    client,
    phone: mask(phone),
    code,
    country_code: country,
    phone_info: [phoneInfoOf(phone, country, deps.index)],
    cost: toDecimal((isSucceeded ? price : 0) as MicroAmount),
    balance: toDecimal(balanceBefore as MicroAmount),
  }
  const laterMs = 800 + Math.floor(draw(key, 'asks later') * 4_000)
  const asked = { method: 'getInfo', atMs: endedMs + laterMs, ms: 2 + Math.floor(draw(key, 'read') * 9) } as const
  return [completed(deps, event, { ...asked, sent: { uid: id }, response })]
}

export function refusedRequest(deps: RowDeps, draw: Draw, refused: Refused): PastRequest {
  const { phone, key, atMs, mode } = refused
  const sent = {
    phone,
    ...(mode === 'inbound' ? { callback_url: customers[refused.customer].receiver } : { code: unknownCode }),
    ...(mode === 'voice' || mode === 'mix' ? { [mode]: true } : {}),
  }
  const method = mode === 'inbound' ? 'inboundCallWaiting' : 'initCall'
  return completed(deps, refused, { method, atMs, ms: msOf(draw, key), sent, refused })
}

type Described = {
  readonly method: Method
  readonly atMs: number
  readonly ms: number
  readonly sent: Readonly<Record<string, unknown>>
  readonly response?: Readonly<Record<string, unknown>>
  readonly refused?: Refused
}

function completed(deps: RowDeps, event: Call | Waiting | Refused, described: Described): PastRequest {
  const { method, atMs, ms, sent, response, refused } = described
  const { accountId, serviceId } = deps.customers[event.customer]
  const { address, program } = customers[event.customer]
  return {
    atMs,
    request: {
      id: randomUUID(),
      startedMs: 0,
      endedMs: ms,
      apiClient: { accountId, serviceId },
      isTest: false,
      isGuess: false,
      method,
      verb: method === 'getInfo' ? 'GET' : 'POST',
      httpStatus: refused ? refusals[refused.name].status : 200,
      refused: refused && { refusal: refused.refusal, language: 'en' },
      address,
      auth: 'header',
      userAgent: program,
      parameters: { kind: method === 'getInfo' ? 'text' : 'json', values: new Map(Object.entries(sent)) },
      response,
    },
  }
}

export function requestRow({ atMs, request }: PastRequest): Row {
  const { verificationId, code, refusal, userAgent, ...parts } = toLoggedRequest(request)
  return {
    at: timeOf(atMs),
    id: request.id,
    account_id: request.apiClient.accountId,
    service_id: request.apiClient.serviceId,
    is_test: false,
    method: request.method,
    verb: request.verb,
    http_status: request.httpStatus,
    code: code ?? null,
    refusal: refusal ?? null,
    ms: request.endedMs,
    address: request.address,
    auth: request.auth,
    user_agent: userAgent,
    verification_id: verificationId ?? null,
    request: parts.request,
    response: parts.response,
  }
}

export function countRows(requests: readonly PastRequest[]): readonly Row[] {
  const clock = createClock(1)
  const stretches = Map.groupBy(requests, ({ atMs }) => Math.floor(atMs / countedMs) * countedMs)
  return [...stretches].flatMap(([sinceMs, own]) => {
    const counters = createCounters(clock)
    for (const { atMs, request } of own) {
      const { endedMs } = request
      counters.add({ ...request, startedMs: atMs, endedMs: atMs + endedMs })
    }
    return [...counters.take(true).values()].map((counted) => ({
      account_id: counted.accountId,
      since: timeOf(sinceMs),
      service_id: counted.serviceId,
      is_test: counted.isTest,
      method: counted.method,
      refusal: counted.refusal,
      subject: counted.subject,
      ms_max: counted.msMax,
      requests: counted.requests,
      last_at: timeOf(counted.lastMs),
    }))
  })
}

function msOf(draw: Draw, key: string): number {
  return 9 + Math.floor(draw(key, 'ms') ** 4 * 90)
}
