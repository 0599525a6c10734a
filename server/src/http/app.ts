// THE EDGE. A request to a method goes through these steps, in this order; each may refuse:
//
//   a start of a call, and too many are under way                           5 (shed.ts)
//   the address has failed to authenticateRequest too often                       code 0
//   the key: header, body or query                                         401
//   the rate of the address, or the one its service has been given         429
//   the scope of the key                                                   401
//   the path and the verb                                                  404, 405
//   what is set on the account and the service                             1001, 1004, 4, 1003, 1005
//   the body                                                               1
//   the parameters                                                         2, 3
//   the action                                                             everything else
//
// A body that cannot be read is told only to those who showed a good key in the header; to others it is 401.

import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { responses } from '@ringproof/contract/responses.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { ApiClient, Authenticated } from '../domain/accounts/api-client.ts'
import type { KeyScope } from '../domain/accounts/api-key.ts'
import { isOnList } from '../domain/accounts/client-address.ts'
import type { FraudRule } from '../domain/fraud/fraud-rule.ts'
import { Refusal } from '../errors.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'
import { createAddressLimits } from './address-limits.ts'
import { type Credentials, credentialsOf } from './credentials.ts'
import { languageOf } from './language.ts'
import { proxyWarning } from './proxy-warning.ts'
import { type PublicPages, publicPages } from './public-pages.ts'
import { sendRefusal, unreadableRefusal } from './refuse.ts'
import { type Fields, fieldsOf } from './request-fields.ts'
import { type MethodActions, type Route, routes } from './routes.ts'
import { shedding } from './shed.ts'
import { bodyBytesMax, createWebServer, headersAlways } from './web-server.ts'

export type AppDeps = {
  readonly actions: MethodActions
  readonly isSaturated: () => boolean
  readonly authenticate: (credentials: Credentials) => Promise<Authenticated | undefined>
  readonly pages: PublicPages
  readonly publicUrl: string
  readonly requestsPerSecond: number
  readonly trustedProxies: readonly string[]
  readonly clock: Clock
  readonly events: Events
  readonly log: Logger
}

export type App = {
  readonly fastify: FastifyInstance
  // The same app on a second socket: methods and health, nothing else.
  readonly createAlternativeServer: () => Server
}

// What is known of an response by the time it is logged and counted.
type RequestNotes = {
  apiMethod: string
  code: number
  // The rule against fraud that refused it.
  rule: FraudRule | undefined
  apiClient: ApiClient | undefined
  // Asked when the request came: a socket that is gone has no address any more.
  readonly address: string
  readonly startedMs: number
}

declare module 'fastify' {
  interface FastifyRequest {
    notes: RequestNotes
  }
}

export async function buildApp(deps: AppDeps): Promise<App> {
  const { clock } = deps
  const limits = createAddressLimits(clock)
  const overAlternative = new WeakSet<object>()
  const edge = { deps, limits, overAlternative }
  const app: FastifyInstance = Fastify({
    genReqId: () => randomUUID(),
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    // What still comes over an open connection while we stop is answered as ever; Fastify's own refusal is not our form.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // Fields are read in one place, and the query is not read before.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, querystringParser: () => ({}) },
    // A path that cannot be decoded meets no hook.
    frameworkErrors: (failure, request, reply) => {
      greet(clock, request, reply)
      reply.raw.once('finish', () => logRequest(deps, request, reply))
      responseFailure(edge, failure, request, reply)
    },
    serverFactory: (handler) => createWebServer(clock, headersAlways(deps.publicUrl), shedding(deps, handler)),
  })

  addHooks(app, edge)
  addRoutes(app, edge)
  await app.ready()

  return {
    fastify: app,
    createAlternativeServer: () =>
      createWebServer(
        clock,
        headersAlways('http:'),
        shedding(deps, (request, response) => {
          overAlternative.add(request)
          app.routing(request, response)
        }),
      ),
  }
}

type Edge = {
  readonly deps: AppDeps
  readonly limits: ReturnType<typeof createAddressLimits>
  readonly overAlternative: WeakSet<object>
}

function addHooks(app: FastifyInstance, edge: Edge): void {
  // Bodies are taken as they are; what they mean is asked after the key.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))

  // A verb of Fastify's own with rules of its own; here it is one that is not allowed.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })
  app.decorateRequest('notes')
  // What every request meets calls back instead of promising, which costs each a turn.
  const lookAtProxy = proxyWarning(edge.deps)
  app.addHook('onRequest', (request, reply, done) => {
    greet(edge.deps.clock, request, reply)
    lookAtProxy(request)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(edge.deps, request, reply)
    done()
  })
  app.addHook('onClose', async () => edge.limits.close())
  app.setErrorHandler((failure, request, reply) => responseFailure(edge, failure, request, reply))
}

function addRoutes(app: FastifyInstance, edge: Edge): void {
  for (const route of routes) {
    app.route({
      method: ['GET', 'POST'],
      url: `/v1.0/${route.method}`,
      schema: { response: { 200: responses[route.method] } },
      onRequest: (request, _, done) => {
        request.notes.apiMethod = route.method
        rejectThrottledAddress(edge, request)
        done()
      },
      handler: async (request, reply) => serveMethod(edge, route, request, reply),
    })
  }
  const { pages } = edge.deps
  const isAlternative = (request: FastifyRequest) => edge.overAlternative.has(request.raw)
  app.register(publicPages({ pages, isAlternative, limit: (request, bucket) => limitPages(edge, request, bucket) }))
  app.get('/', { onRequest: async (request) => rejectThrottledAddress(edge, request) }, async (request) => {
    await authenticateRequest(edge, request)
    return edge.deps.pages.root
  })
  app.setNotFoundHandler(
    { preValidation: async (request: FastifyRequest) => rejectThrottledAddress(edge, request) },
    async (request: FastifyRequest) => {
      await authenticateRequest(edge, request)
      throw new Refusal(isMethodPath(request) ? 'methodNotAllowed' : 'methodUnknown')
    },
  )
}

function greet(clock: Clock, request: FastifyRequest, reply: FastifyReply): void {
  request.notes = {
    apiMethod: 'none',
    code: 200,
    rule: undefined,
    apiClient: undefined,
    address: request.ip ?? '',
    startedMs: clock.monotonicMs(),
  }
  // An empty one says as little as none, and Fastify would refuse it.
  if (request.raw.headers['content-type'] === '') delete request.raw.headers['content-type']
  reply.header('x-request-id', request.id).header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
}

async function serveMethod(edge: Edge, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { apiClient, fields } = await authenticateRequest(edge, request, route.scope)
  checkServiceState(edge, apiClient, route, request)
  if (typeof fields === 'string') throw new Refusal(fields)
  const language = languageOf(request.headers['accept-language'])
  const response = await route.serve(edge.deps.actions, apiClient, fields, language)
  if (apiClient.idAlias === '' || !('vendor_id' in response)) return response
  // The one field that the contract's schema does not know.
  reply.type('application/json; charset=utf-8')
  return JSON.stringify({ ...response, [apiClient.idAlias]: response['vendor_id'] })
}

function rejectThrottledAddress({ deps, limits }: Edge, request: FastifyRequest): void {
  if (!limits.failsTooOften(request.notes.address)) return
  deps.events.requestLimited('failed_authentications')
  throw new Refusal('addressRefused', {}, 1)
}

function limitPages({ deps, limits }: Edge, request: FastifyRequest, bucket: string): void {
  const waitSeconds = limits.take(request.notes.address, bucket, deps.requestsPerSecond)
  if (waitSeconds === undefined) return
  deps.events.requestLimited('address_rate')
  throw new Refusal('tooManyRequests', { limit: deps.requestsPerSecond }, waitSeconds)
}

// Who is calling, and with which fields. Every request that gets here counts against a rate, good key or not. A scope
// that is missing is no guess at a key, so it does not count as a failure of the address.
async function authenticateRequest(
  edge: Edge,
  request: FastifyRequest,
  scope?: KeyScope,
): Promise<{ apiClient: ApiClient; fields: Fields | 'malformedRequest' | 'mediaTypeUnknown' }> {
  const { deps, limits } = edge
  const fields = fieldsOf(request)
  const credentials = credentialsOf(request.headers.authorization, typeof fields === 'string' ? undefined : fields)
  const found = credentials && (await deps.authenticate(credentials))
  // Asked again: of many guesses at once, all would have passed before the first of them had failed.
  rejectThrottledAddress(edge, request)
  const apiClient = found?.apiClient
  const raised = Math.max(apiClient?.requestsPerSecond ?? 0, deps.requestsPerSecond)
  // A service that was given more has a bucket of its own, so that it neither fills nor drains the common one.
  const bucket = apiClient && raised > deps.requestsPerSecond ? String(apiClient.serviceId) : ''
  const waitSeconds = limits.take(request.notes.address, bucket, raised)
  if (waitSeconds !== undefined) {
    deps.events.requestLimited('address_rate')
    throw new Refusal('tooManyRequests', { limit: raised }, waitSeconds)
  }
  if (!apiClient) {
    // Monitors and crawlers ask for paths that are no methods, without any key: they guess at nothing.
    if (credentials || request.notes.apiMethod !== 'none') limits.noteFailure(request.notes.address)
    throw new Refusal('authenticationFailed')
  }
  request.notes.apiClient = apiClient
  if (scope && !found.key.scopes.includes(scope)) throw new Refusal('scopeMissing', { scope })
  return { apiClient, fields }
}

function checkServiceState(edge: Edge, apiClient: ApiClient, route: Route, request: FastifyRequest): void {
  if (apiClient.accountBlocked) throw new Refusal('accountBlocked')
  if (apiClient.state === 'archived') throw new Refusal('serviceArchived')
  if (apiClient.state === 'off') throw new Refusal('serviceOff')
  if (apiClient.addresses.length > 0 && !isOnList(apiClient.addresses, request.notes.address))
    throw new Refusal('addressNotAllowed')
  if (!apiClient.plainHttp && edge.overAlternative.has(request.raw)) throw new Refusal('plainHttpRefused')
  if (route.scope === 'start' && apiClient.mustVerifyPhone) throw new Refusal('phoneNotVerified')
}

function responseFailure(edge: Edge, failure: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (failure instanceof Refusal) {
    sendRefusal(request, reply, failure)
    return
  }
  // Even telling of a failure may fail, and the response must still be ours.
  refusalOf(edge, failure, request)
    .catch(() => new Refusal('internalError'))
    .then((refusal) => sendRefusal(request, reply, refusal))
    .catch(() => reply.raw.destroy())
}

async function refusalOf(edge: Edge, error: unknown, request: FastifyRequest): Promise<Refusal> {
  const unreadable = unreadableRefusal(error)
  if (!unreadable) {
    edge.deps.log.error({ err: error, request_id: request.id, api_method: request.notes.apiMethod }, 'request failed')
    return new Refusal('internalError')
  }
  try {
    rejectThrottledAddress(edge, request)
    // The body was not read, so only the header can speak for the client.
    await authenticateRequest(edge, request)
    return unreadable
  } catch (failure) {
    return failure instanceof Refusal ? failure : refusalOf(edge, failure, request)
  }
}

function logRequest({ clock, events, log }: AppDeps, request: FastifyRequest, reply: FastifyReply): void {
  const { apiMethod, code, rule, apiClient, startedMs } = request.notes
  const seconds = (clock.monotonicMs() - startedMs) / 1000
  events.requestCompleted({ apiMethod, httpStatus: reply.statusCode, code, seconds })
  log.info(
    {
      request_id: request.id,
      api_method: apiMethod,
      http_status: reply.statusCode,
      code,
      rule,
      ms: Math.round(seconds * 1000),
      service_id: apiClient?.serviceId,
    },
    'request completed',
  )
}

// Whether another verb would have found something: asked of the router, which knows how paths are read.
function isMethodPath({ server, url }: FastifyRequest): boolean {
  return server.hasRoute({ method: 'GET', url: pathOf(url) })
}

// Also of an absolute address, which a request may be made by.
function pathOf(url: string): string {
  const path = url.startsWith('/') ? (url.split(/[?#]/)[0] ?? '') : URL.canParse(url) ? new URL(url).pathname : url
  return decodeURI(path)
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
}
