// THE EDGE FOR PEOPLE. A request to the internal API takes these steps, in this order. Each step may refuse it:
//
//   a change from another site, or without a JSON body                      foreign-origin
//   the rate of the address, for every route and where there is none        throttled
//   an endpoint about money or customers where no calls are sold            not-found
//   a change while an operator looks at a customer's dashboard              view-only
//   the session, and whether it may call this endpoint                      not-signed-in, forbidden, add-factor
//   the account that the page shows, if the session shows another by now    other-account
//   a guarded change without a factor shown in the last ten minutes         confirm-person
//   a change of an account that was closed                                  account-closed
//   the input                                                               invalid
//   the action                                                              all other errors
//
// Pages and their files are the same for everybody and need no session.

import { randomUUID } from 'node:crypto'
import { type EndpointName, sellingEndpoints, webApi } from '@ringproof/contract/web/api.ts'
import type { Endpoint } from '@ringproof/contract/web/endpoint.ts'
import { importBytesMax } from '@ringproof/contract/web/number-limits.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ShownStatus } from '../actions/notices/announcements.ts'
import type { Visitor } from '../actions/people/visitor.ts'
import type { AccountId } from '../domain/core/slot.ts'
import type { Clock } from '../process/clock.ts'
import { Denial } from '../process/errors.ts'
import type { Logger } from '../process/log/log.ts'
import { addAccountExport, type ExportAccount } from './account-export.ts'
import { type Assets, addPages } from './assets.ts'
import { addCallCapture, type ExportMessages } from './call-capture.ts'
import { browserCookie, browsersIn, sessionCookie, signUpCookie, signUpTokenIn, tokenIn } from './cookie.ts'
import { addCsvExports, type ExportedLists } from './csv-exports.ts'
import { addEvents, type WatchLive } from './events.ts'
import { admit, refuseWhileViewing } from './gate.ts'
import type { Handlers, Visit } from './handlers/core/handlers.ts'
import { isSecure, refuseForeignOrigin } from './origin.ts'
import { addPapers, type Papers } from './papers.ts'
import { siteOf } from './passkeys.ts'
import { respondToFailure } from './refuse.ts'
import { addStatus } from './status.ts'

export type WebAppDeps = ExportedLists & {
  readonly handlers: Handlers
  readonly exportMessages: ExportMessages
  readonly papers: Papers
  readonly exportAccount: ExportAccount
  readonly showStatus: () => Promise<ShownStatus>
  readonly isClosed: (accountId: AccountId) => Promise<boolean>
  readonly findVisitor: (token: string, address: string, isPresent: boolean) => Promise<Visitor | undefined>
  // Seconds to wait, or undefined if the request may pass.
  readonly limitRate: (address: string, scope: string, perSecond: number) => number | undefined
  readonly watchLive: WatchLive
  readonly assets: Assets
  readonly publicUrl: string
  readonly trustedProxies: readonly string[]
  readonly stopping: AbortSignal
  readonly clock: Clock
  readonly log: Logger
}

// Sent by a page that nobody has touched for a minute: it reads again by itself.
const awayHeader = 'person-away'
const accountHeader = 'shown-account'
const bodyBytesMax = 16 * 1024
// A thousand numbers, the longest of four bytes a character; a carrier's list of our numbers.
const longBodies: Readonly<Partial<Record<EndpointName, number>>> = {
  'preview-number-check': 300 * 1024,
  'preview-caller-import': importBytesMax + bodyBytesMax,
  'import-caller-numbers': importBytesMax + bodyBytesMax,
}
// For each address, pages of many tabs included.
const readsPerSecond = 50
const changesPerSecond = 10
// Attempts that cost a password hash, send a message or read much without a session.
const attemptsPerSecond = 5

// Pages and their files, which are in memory; a page loads some dozens.
const pagesPerSecond = 300

const endpoints: ReadonlyMap<string, Endpoint> = new Map(Object.entries(webApi))
// Beside every change that needs no session.
const attempts: ReadonlySet<string> = new Set<EndpointName>([
  'second-step',
  'second-step-passkey',
  'confirm-person',
  'invite-member',
  'invite-operator',
  'send-telegram-code',
  'call-own-phone',
  'send-example-webhook',
  'preview-number-check',
  'test-notice',
  'find-calls',
  'start-trunk-test',
])

export async function buildWebApp(deps: WebAppDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    genReqId: () => randomUUID(),
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true },
    // An unknown field is a fault of the page, and a text is never taken for a number in a body.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
  })
  // Only JSON: a form of another site cannot send it without asking first.
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async (request, reply) => {
    startedMs.set(request, deps.clock.monotonicMs())
    reply
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
  })
  // Before every route, and before the answer that there is none: a new route has a rate without asking for one.
  app.addHook('onRequest', async (request) => {
    const isRoute = request.routeOptions.url !== undefined
    if (isRoute && request.method === 'POST') refuseForeignOrigin(request.headers)
    limit(deps, request)
  })
  app.addHook('onResponse', async (request, reply) => logRequest(deps, request, reply))
  app.setErrorHandler((failure, request, reply) => respondToFailure(deps.log, failure, request, reply))
  app.setNotFoundHandler(async () => {
    throw new Denial('not-found')
  })
  for (const [name, endpoint] of Object.entries(webApi) as [EndpointName, Endpoint][]) {
    addEndpoint(app, deps, name, endpoint)
  }
  const visitor = (isPresent: boolean) => (request: FastifyRequest) => visitorOf(deps, request, isPresent)
  addEvents(app, deps, visitor(false))
  addCsvExports(app, deps, visitor(true))
  addCallCapture(app, deps.exportMessages, visitor(true))
  addPapers(app, { ...deps, ...deps.papers }, visitor(true))
  addAccountExport(app, deps.exportAccount, visitor(true))
  const nowSeconds = () => deps.clock.timeOfDayMs() / 1_000
  addStatus(app, { ...deps, nowSeconds })
  addPages(app, deps.assets)
  await app.ready()
  return app
}

function addEndpoint(app: FastifyInstance, deps: WebAppDeps, name: EndpointName, endpoint: Endpoint): void {
  const { verb, input, output } = endpoint
  app.route({
    method: verb,
    url: `/web/${name}`,
    bodyLimit: longBodies[name] ?? bodyBytesMax,
    schema: { response: { 200: output }, ...(verb === 'GET' ? { querystring: input } : { body: input }) },
    // Before the body is read.
    onRequest: async (request) => {
      if (sellingEndpoints.has(name) && !(await deps.sellsCalls())) throw new Denial('not-found')
      const visitor = await visitorOf(deps, request, request.headers[awayHeader] === undefined)
      refuseWhileViewing(name, endpoint, visitor)
      admit(endpoint, visitor, request.headers[accountHeader])
      await refuseClosed(deps, endpoint, visitor)
      if (visitor) visitors.set(request, visitor)
    },
    handler: async (request, reply) => {
      const visit: Visit = {
        visitor: visitors.get(request),
        actor: { address: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentMax) },
        isSecure: isSecure(request.headers.host, deps.publicUrl),
        site: siteOf(deps.publicUrl, request.headers.host),
        setSession: (token) => void reply.header('set-cookie', sessionCookie(token)),
        browsers: browsersIn(request.headers.cookie),
        setBrowsers: (value) => void reply.header('set-cookie', browserCookie(value)),
        signUpToken: signUpTokenIn(request.headers.cookie),
        setSignUp: (token) => void reply.header('set-cookie', signUpCookie(token)),
      }
      const handler = deps.handlers[name] as (visit: Visit, input: unknown) => Promise<unknown>
      return (await handler(visit, verb === 'GET' ? request.query : request.body)) ?? {}
    },
  })
}

async function refuseClosed(deps: WebAppDeps, { verb, access }: Endpoint, visitor: Visitor | undefined): Promise<void> {
  if (verb === 'GET' || access.kind !== 'member' || !visitor?.membership) return
  if (await deps.isClosed(visitor.membership.accountId)) throw new Denial('account-closed')
}

const userAgentMax = 300
const visitors = new WeakMap<FastifyRequest, Visitor>()
const startedMs = new WeakMap<FastifyRequest, number>()

async function visitorOf(deps: WebAppDeps, request: FastifyRequest, isPresent: boolean): Promise<Visitor | undefined> {
  const token = tokenIn(request.headers.cookie)
  return token === undefined ? undefined : deps.findVisitor(token, request.ip, isPresent)
}

function limit(deps: WebAppDeps, request: FastifyRequest): void {
  const [scope, perSecond] = rateOf(request.routeOptions.url ?? '')
  const wait = deps.limitRate(request.ip, scope, perSecond)
  if (wait !== undefined) throw new Denial('throttled', [], wait)
}

function rateOf(url: string): readonly [scope: string, perSecond: number] {
  if (!url.startsWith('/web/')) return ['web page', pagesPerSecond]
  const name = url.slice('/web/'.length)
  const endpoint = endpoints.get(name)
  if (attempts.has(name) || (endpoint?.access.kind === 'anyone' && endpoint.verb === 'POST'))
    return ['web attempt', attemptsPerSecond]
  // Files for download read as much as a change.
  return name === 'events' || endpoint?.verb === 'GET' ? ['web GET', readsPerSecond] : ['web POST', changesPerSecond]
}

// The path without its query, and no address: what a person looks at is in the account's log, not here.
function logRequest({ clock, log }: WebAppDeps, request: FastifyRequest, reply: FastifyReply): void {
  const ms = Math.round(clock.monotonicMs() - (startedMs.get(request) ?? clock.monotonicMs()))
  const route = request.routeOptions.url ?? 'none'
  log.info({ request_id: request.id, route, http_status: reply.statusCode, ms }, 'web request completed')
}
