// THE EDGE. A request to a method takes these steps, in this order. Each step may refuse it:
//
//   a start of a call while too many are in flight                          5 (shed.ts)
//   too many failed authentications from the address                        0
//   the key: header, body or query                                          401
//   the rate of the address, or the higher rate of the service              429
//   the scope of the key                                                    401
//   the path and the HTTP method                                            404, 405
//   the state of the account and the service                                1001, 1004, 4, 1003, 1005
//   the body                                                                1
//   the parameters                                                          2, 3
//   the action                                                              all other codes
//
// A request with an unreadable body gets its own code only if the header has a valid key, otherwise 401.

import { randomUUID } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import { responses } from '@ringproof/contract/responses.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { KeyScope } from '../domain/accounts/api-key.ts'
import { type ClientHint, clientHintOf } from '../domain/accounts/known-client.ts'
import { checkServiceState } from '../domain/accounts/service.ts'
import type { ServiceId } from '../domain/core/slot.ts'
import type { CompletedRequest } from '../domain/requests/api-request.ts'
import type { Clock } from '../process/clock.ts'
import { Refusal } from '../process/errors.ts'
import type { Logger } from '../process/log/log.ts'
import type { Events } from '../process/metrics/events.ts'
import type { Traces } from '../process/traces/traces.ts'
import { createAddressLimits } from './address-limits.ts'
import { aliasFields } from './alias-fields.ts'
import {
  type AdmittedRequest,
  authenticateRequest,
  type Gate,
  limitRate,
  rejectThrottledAddress,
} from './authenticate-request.ts'
import { completedRequest } from './completed-request.ts'
import { type ErrorLink, problemTypeOf } from './error-link.ts'
import { languageOf } from './language.ts'
import { addListenApi, type WebhookStream } from './listen-api.ts'
import { addPaymentApi, type TakePayment } from './payment-api.ts'
import { proxyWarning } from './proxy-warning.ts'
import { type PublicPages, publicPages } from './public-pages.ts'
import { respondToFailure } from './refuse.ts'
import { logRequest, notesOf, startNotes } from './request-notes.ts'
import { isMethodPath, pathOf } from './request-path.ts'
import { type MethodActions, type Route, routes } from './routes.ts'
import { shedding } from './shed.ts'
import { addTestApi, type WaitForCall } from './test-api.ts'
import { traceRequest } from './trace-request.ts'
import { unknownMethod } from './unknown-method.ts'
import { isVerifyPath, VerifyProblem } from './verify/problems.ts'
import { addVerifyApi, type VerifyActions } from './verify/routes.ts'
import { splitWebPaths } from './web-paths.ts'
import { bodyBytesMax, createWebServer, siteHeaders } from './web-server.ts'

export type AppDeps = {
  readonly actions: MethodActions
  readonly verify: VerifyActions
  readonly waitForCall: WaitForCall
  // Undefined without NATS.
  readonly webhookStream: WebhookStream | undefined
  readonly takePayment: TakePayment
  readonly currency: string
  readonly isSaturated: () => boolean
  readonly authenticate: Gate['authenticate']
  // A known client without the settings that it needs.
  readonly noteClientHint: (serviceId: ServiceId, hint: ClientHint) => void
  readonly pages: PublicPages
  // The dashboard and the console, if this process serves them.
  readonly web: RequestListener | undefined
  readonly publicUrl: string
  readonly requestsPerSecond: number
  readonly trustedProxies: readonly string[]
  readonly clock: Clock
  readonly events: Events
  readonly traces?: Traces | undefined
  // Undefined if there is no API log.
  readonly noteCompleted?: ((request: CompletedRequest) => void) | undefined
  readonly log: Logger
}

export type App = {
  readonly fastify: FastifyInstance
  // The same app on a second socket: methods and health, nothing else.
  readonly createAlternativeServer: () => Server
}

export async function buildApp(deps: AppDeps): Promise<App> {
  const { clock, authenticate, requestsPerSecond, events } = deps
  const limits = createAddressLimits(clock)
  const overAlternative = new WeakSet<object>()
  const site = siteHeaders(deps.publicUrl)
  const { errorLink } = site
  const problemType = problemTypeOf(deps.publicUrl)
  const edge: Edge = {
    deps,
    gate: { authenticate, limits, requestsPerSecond, events },
    overAlternative,
    errorLink,
    problemType,
  }
  const app: FastifyInstance = Fastify({
    genReqId: () => randomUUID(),
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    // Requests on open connections are still served during shutdown; Fastify's own 503 is not a response of the contract.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // request-fields.ts is the only reader of the query, after the key.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, querystringParser: () => ({}) },
    // No hook runs for a path that cannot be decoded.
    frameworkErrors: (failure, request, reply) => {
      startRequest(clock, request, reply)
      reply.raw.once('finish', () => endRequest(deps, request, reply))
      handleFailure(edge, failure, request, reply)
    },
    // web-server.ts responds to a request that cannot be parsed, or parses it again.
    clientErrorHandler: () => undefined,
    serverFactory: (handler) =>
      createWebServer(clock, site, splitWebPaths(deps.web, shedding({ ...deps, errorLink, problemType }, handler))),
  })

  addHooks(app, edge)
  addRoutes(app, edge)
  await app.ready()

  return {
    fastify: app,
    createAlternativeServer: () =>
      createWebServer(
        clock,
        siteHeaders(deps.publicUrl, { isAlternative: true }),
        shedding({ ...deps, errorLink, problemType }, (request, response) => {
          overAlternative.add(request)
          app.routing(request, response)
        }),
      ),
  }
}

type Edge = {
  readonly deps: AppDeps
  readonly gate: Gate
  readonly overAlternative: WeakSet<object>
  readonly errorLink: ErrorLink
  readonly problemType: (code: string) => string
}

function addHooks(app: FastifyInstance, edge: Edge): void {
  // Bodies stay bytes here; request-fields.ts parses them after the key in the header was read.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))

  // Fastify treats QUERY specially; here it is a method that is not allowed.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })
  // Hooks that every request meets use callbacks: a promise would cost each request a turn of the event loop.
  const lookAtProxy = proxyWarning(edge.deps)
  app.addHook('onRequest', (request, reply, done) => {
    startRequest(edge.deps.clock, request, reply)
    lookAtProxy(request)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    endRequest(edge.deps, request, reply)
    done()
  })
  app.addHook('onClose', async () => edge.gate.limits.close())
  app.setErrorHandler((failure, request, reply) => handleFailure(edge, failure, request, reply))
}

function addRoutes(app: FastifyInstance, edge: Edge): void {
  const { gate } = edge
  for (const route of routes) {
    app.route({
      method: ['GET', 'POST'],
      url: `/v1.0/${route.method}`,
      schema: { response: { 200: responses[route.method] } },
      onRequest: (request, _, done) => {
        notesOf(request).apiMethod = route.method
        rejectThrottledAddress(gate, request)
        done()
      },
      handler: async (request, reply) => serveMethod(edge, route, request, reply),
    })
  }
  const { pages, verify, requestsPerSecond, waitForCall, webhookStream, takePayment, currency, clock, log } = edge.deps
  addTestApi(app, {
    gate,
    waitForCall,
    authenticate: (request) => passGate(edge, 'read', request),
    limitRate: (request) => limitRate(gate, request, 'webhooks', requestsPerSecond),
  })
  addListenApi(app, {
    gate,
    authenticate: (request) => passGate(edge, 'listen', request),
    webhooks: webhookStream,
    clock,
  })
  addVerifyApi(app, { actions: verify, gate, isAlternative: (request) => isAlternative(edge, request) })
  addPaymentApi(app, {
    gate,
    takePayment,
    currency,
    isAlternative: (request) => isAlternative(edge, request),
    limitRate: (request) => limitRate(gate, request, 'payments', requestsPerSecond),
    log,
  })
  app.register(
    publicPages({
      pages,
      isAlternative: (request) => isAlternative(edge, request),
      limit: (request, bucket) => limitRate(gate, request, bucket, requestsPerSecond),
    }),
  )
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    onRequest: async (request) => rejectThrottledAddress(gate, request),
    handler: async (request) => {
      await authenticateRequest(gate, request)
      return pages.root
    },
  })
  app.setNotFoundHandler(
    { preValidation: async (request: FastifyRequest) => rejectThrottledAddress(gate, request) },
    async (request: FastifyRequest) => {
      await authenticateRequest(gate, request)
      if (isMethodPath(request)) throw new Refusal('methodNotAllowed')
      throw isVerifyPath(request.url) ? new VerifyProblem('pathUnknown') : unknownMethod(pathOf(request.url))
    },
  )
}

function startRequest(clock: Clock, request: FastifyRequest, reply: FastifyReply): void {
  startNotes(request, clock)
  // An empty content type means none, but Fastify would refuse it.
  if (request.raw.headers['content-type'] === '') delete request.raw.headers['content-type']
  reply.header('x-request-id', request.id).header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
}

function endRequest(deps: AppDeps, request: FastifyRequest, reply: FastifyReply): void {
  const endedMs = logRequest(deps, request, reply)
  const completed = deps.noteCompleted && completedRequest(request, reply, endedMs)
  if (completed) deps.noteCompleted?.(completed)
}

async function serveMethod(edge: Edge, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { apiClient, fields } = await passGate(edge, route.scope, request)
  const signs = { apiMethod: route.method, headers: request.headers, parameters: fields.values }
  const hint = clientHintOf(signs, apiClient)
  if (hint) edge.deps.noteClientHint(apiClient.serviceId, hint)
  const language = languageOf(request.headers['accept-language'])
  const response = await route.serve(edge.deps.actions, apiClient, fields, language)
  notesOf(request).response = response
  if (edge.deps.traces) traceRequest(edge.deps.traces, route, request, reply, response)
  if (apiClient.idAlias === '' || !('vendor_id' in response)) return response
  // The schema of the contract does not know the alias, so Fastify's serializer would drop it.
  reply.type('application/json; charset=utf-8')
  return JSON.stringify({ ...response, ...aliasFields(apiClient.idAlias, response) })
}

async function passGate(edge: Edge, scope: KeyScope, request: FastifyRequest): Promise<AdmittedRequest> {
  const { apiClient, fields } = await authenticateRequest(edge.gate, request, scope)
  const { address } = notesOf(request)
  checkServiceState(apiClient, { address, isAlternative: isAlternative(edge, request), scope })
  if (fields instanceof Refusal) throw fields
  return { apiClient, fields }
}

function handleFailure(
  { deps, gate, errorLink, problemType }: Edge,
  failure: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const authenticate = async () => {
    rejectThrottledAddress(gate, request)
    await authenticateRequest(gate, request)
  }
  respondToFailure({ log: deps.log, errorLink, problemType, authenticate }, failure, request, reply)
}

function isAlternative({ overAlternative }: Edge, request: FastifyRequest): boolean {
  return overAlternative.has(request.raw)
}
