// Pages that need no key: health and documentation. They have the same rate limit per address as the methods, counted
// separately.

import { Health, type Root } from '@ringproof/contract/responses.ts'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { DocsRoutes } from './docs/routes.ts'
import { unknownMethod } from './unknown-method.ts'

export type PublicPages = {
  readonly root: Static<typeof Root>
  // The documentation. It is loaded when the first page is read: most processes never serve one.
  readonly docs: () => Promise<DocsRoutes>
  readonly health: () => { readonly database: boolean; readonly pool: boolean; readonly eventLoop: boolean }
  // Whether calls can be placed.
  readonly areProvidersUp: () => boolean
  // Whether change notifications arrive; while they do not, every request reads its client from the database.
  readonly isListening: () => boolean
  // False during startup and after the process was asked to stop.
  readonly isReady: () => boolean
}

type PagesDeps = {
  readonly pages: PublicPages
  readonly isAlternative: (request: FastifyRequest) => boolean
  // Throws if the address exceeds its rate limit.
  readonly limit: (request: FastifyRequest, bucket: 'health' | 'docs') => void
}

const method = ['GET', 'HEAD']

export function publicPages({ pages, isAlternative, limit }: PagesDeps): FastifyPluginAsync {
  const health = async (request: FastifyRequest) => limit(request, 'health')
  // The alternative listener serves only methods and health.
  const docs = async (request: FastifyRequest) => {
    if (isAlternative(request)) throw unknownMethod(request.url)
    limit(request, 'docs')
  }
  return async (app) => {
    app.route({
      method,
      url: '/health',
      schema: { response: { '2xx': Health, '5xx': Health } },
      onRequest: health,
      handler: async (_, reply) => {
        const { database } = pages.health()
        const providers = pages.areProvidersUp()
        return reply.status(database ? 200 : 503).send({ status: database, database, providers })
      },
    })
    app.route({ method, url: '/livez', onRequest: health, handler: async () => ({ status: true }) })
    app.route({ method, url: '/readyz', onRequest: health, handler: async (_, reply) => sendReadiness(pages, reply) })
    for (const url of docsPaths) {
      app.route({ method, url, onRequest: docs, handler: async (request, reply) => sendPage(pages, request, reply) })
    }
  }
}

// The pages, and the files of the repository that they link to.
const docsPaths = [
  '/docs',
  '/docs/*',
  '/docs.md',
  '/llms.txt',
  '/openapi.json',
  '/openapi-v2.json',
  '/examples/*',
  '/sdk/*',
  '/sdk-php/*',
  '/deploy/*',
] as const

async function sendPage({ docs }: PublicPages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const rest = (request.params as { '*'?: string })['*'] ?? ''
  const path = (request.routeOptions.url ?? '').replace('*', () => rest)
  const send = (await docs()).get(path)
  if (send) return send(request, reply)
  reply.callNotFound()
  return reply
}

// Only this process's own faults make it not ready. If the database or NATS is down, it is down for every process: with all
// of them out of rotation, clients would not even get code 5.
async function sendReadiness(pages: PublicPages, reply: FastifyReply): Promise<FastifyReply> {
  const { database, pool, eventLoop } = pages.health()
  const ours = { accepting: pages.isReady(), pool, event_loop: eventLoop }
  const shared = { database, providers: pages.areProvidersUp(), listening: pages.isListening() }
  const status = Object.values(ours).every(Boolean)
  return reply.status(status ? 200 : 503).send({ status, ...ours, ...shared })
}
