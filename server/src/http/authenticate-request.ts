// Who sends a request, and whether it may be served: failed authentications of the address, the key, the rate and the scope.

import { keyFaults } from '@ringproof/contract/request-faults.ts'
import type { FastifyRequest } from 'fastify'
import type { ApiClient, Authenticated, WrongKey } from '../domain/accounts/api-client.ts'
import type { KeyScope } from '../domain/accounts/api-key.ts'
import { Refusal } from '../process/errors.ts'
import type { Events } from '../process/metrics/events.ts'
import type { createAddressLimits } from './address-limits.ts'
import { type Credentials, credentialsOf, keyFault } from './credentials.ts'
import { type Fields, fieldsOf } from './request-fields.ts'
import { notesOf } from './request-notes.ts'

export type Gate = {
  readonly authenticate: (credentials: Credentials) => Promise<Authenticated | WrongKey>
  readonly limits: ReturnType<typeof createAddressLimits>
  // Of one address.
  readonly requestsPerSecond: number
  readonly events: Events
}

type AuthenticatedRequest = {
  readonly apiClient: ApiClient
  // A refusal: the body cannot be read.
  readonly fields: Fields | Refusal
}

// One that passed every step up to the parameters.
export type AdmittedRequest = { readonly apiClient: ApiClient; readonly fields: Fields }

export function rejectThrottledAddress({ limits, events }: Gate, request: FastifyRequest): void {
  if (!limits.failsTooOften(notesOf(request).address)) return
  events.requestLimited('failed_authentications')
  throw new Refusal('addressRefused', {}, 1)
}

// Every request that gets here counts against a rate, whether its key is valid or not. A missing scope is not a guess at a
// key, so it does not count as a failed authentication of the address.
export async function authenticateRequest(
  gate: Gate,
  request: FastifyRequest,
  scope?: KeyScope,
): Promise<AuthenticatedRequest> {
  const fields = fieldsOf(request)
  const credentials = credentialsOf(request.headers.authorization, fields instanceof Refusal ? undefined : fields)
  notesOf(request).parameters = fields instanceof Refusal ? 'unreadable' : fields
  return { apiClient: await identify(gate, request, credentials, fields, scope), fields }
}

// The key is in the header or nowhere, and nothing of the request is kept.
export async function authenticateHeader(gate: Gate, request: FastifyRequest, scope: KeyScope): Promise<ApiClient> {
  const credentials = credentialsOf(request.headers.authorization, undefined)
  return identify(gate, request, credentials, noFields, scope)
}

const noFields: Fields = { kind: 'json', values: new Map() }

async function identify(
  gate: Gate,
  request: FastifyRequest,
  credentials: Credentials | undefined,
  fields: AuthenticatedRequest['fields'],
  scope: KeyScope | undefined,
): Promise<ApiClient> {
  const { authenticate, limits, requestsPerSecond } = gate
  const notes = notesOf(request)
  const found = credentials && (await authenticate(credentials))
  // Again: of many concurrent guesses, all would have passed before the first one failed.
  rejectThrottledAddress(gate, request)
  const key = found?.key
  const apiClient = key && found.apiClient
  if (apiClient) notes.apiClient = apiClient
  else if (found?.apiClient) notes.guessedClient = found.apiClient
  const raised = Math.max(apiClient?.requestsPerSecond ?? 0, requestsPerSecond)
  // A service with a higher rate has a separate bucket, so that it neither fills nor drains the shared one.
  const bucket = apiClient && raised > requestsPerSecond ? String(apiClient.serviceId) : ''
  limitRate(gate, request, bucket, raised)
  if (!apiClient) {
    // Monitors and crawlers request unknown paths without any key. That is not a guess.
    if (credentials || notes.apiMethod !== 'none') limits.noteFailure(notes.address)
    throw authenticationRefusal(request, fields)
  }
  if (scope && !key.scopes.includes(scope)) throw new Refusal('keyRefused')
  return apiClient
}

// Names the mistake that can be seen in the request. A key that looks right gets one sentence, whether it exists or not.
function authenticationRefusal({ headers }: FastifyRequest, fields: AuthenticatedRequest['fields']): Refusal {
  const fault = keyFault(headers, fields instanceof Refusal ? undefined : fields)
  if (fault === undefined) return new Refusal('keyRefused')
  if (fault !== keyFaults.noKey) return new Refusal('authenticationFailed', { fault })
  // There is no key where it is read.
  if (fields instanceof Refusal) {
    if (fields.refusal === 'jsonSentAsForm') return new Refusal('keyInJsonSentAsForm')
    return new Refusal('authenticationFailed', { fault: keyFaults.unreadableBody })
  }
  const place = fields.elsewhere?.('key')
  if (place === 'getBody') return new Refusal('keyInGetBody')
  return new Refusal('authenticationFailed', { fault: place ? keyFaults.postQuery : fault })
}

export function limitRate({ limits, events }: Gate, request: FastifyRequest, bucket: string, limit: number): void {
  const waitSeconds = limits.take(notesOf(request).address, bucket, limit)
  if (waitSeconds === undefined) return
  events.requestLimited('address_rate')
  throw new Refusal('tooManyRequests', { limit }, waitSeconds)
}
