// What is learned about a request on its way, for its log line and its metrics. A property and not a decorator of Fastify: a
// request whose path cannot be decoded has no decorators, and it is logged as well. Nor a WeakMap, which costs the garbage
// collector more than the request.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import type { FraudRule } from '../domain/protection/fraud-limits.ts'
import type { CompletedRequest, Refused } from '../domain/requests/api-request.ts'
import type { Clock } from '../process/clock.ts'
import type { UnavailableCause } from '../process/errors.ts'
import type { Logger } from '../process/log/log.ts'
import type { Events } from '../process/metrics/events.ts'

type RequestNotes = {
  apiMethod: string
  code: number
  // The fraud rule that refused it.
  rule: FraudRule | undefined
  // Why it got code 5.
  cause: UnavailableCause | undefined
  apiClient: ApiClient | undefined
  // The service that a wrong key was sent for.
  guessedClient?: ApiClient
  // For the API log.
  parameters?: CompletedRequest['parameters']
  response?: Readonly<Record<string, unknown>>
  refused?: Refused
  // Of the verification that it started, if there are traces.
  traceId?: string
  // Read when the request arrives: a closed socket has no address.
  readonly address: string
  readonly startedMs: number
}

const notesKey = Symbol('notes')
type Noted = FastifyRequest & { [notesKey]?: RequestNotes }

export function startNotes(request: FastifyRequest, clock: Clock): void {
  const noted: Noted = request
  noted[notesKey] = {
    apiMethod: 'none',
    code: 200,
    rule: undefined,
    cause: undefined,
    apiClient: undefined,
    address: request.ip ?? '',
    startedMs: clock.monotonicMs(),
  }
}

export function notesOf(request: FastifyRequest): RequestNotes {
  const { [notesKey]: found }: Noted = request
  if (!found) throw new Error('the request has no notes: the onRequest hook did not run')
  return found
}

type LogDeps = { readonly clock: Clock; readonly events: Events; readonly log: Logger }

// Returns when the request was completed, on the monotonic clock.
export function logRequest({ clock, events, log }: LogDeps, request: FastifyRequest, reply: FastifyReply): number {
  const { apiMethod, code, rule, cause, apiClient, traceId, startedMs } = notesOf(request)
  const endedMs = clock.monotonicMs()
  const seconds = (endedMs - startedMs) / 1000
  events.requestCompleted({ apiMethod, httpStatus: reply.statusCode, code, seconds })
  if (cause) events.startUnavailable(cause)
  log.info(
    {
      request_id: request.id,
      api_method: apiMethod,
      http_status: reply.statusCode,
      code,
      rule,
      cause,
      ms: Math.round(seconds * 1000),
      service_id: apiClient?.serviceId,
      trace_id: traceId,
    },
    'request completed',
  )
  return endedMs
}
