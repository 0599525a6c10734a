// What is answered without a key: whether we are there, and how to talk to us. All of it is in memory, and each address may
// ask for it as often as for methods, counted apart from them.

import { Health, type Root } from '@ringproof/contract/responses.ts'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { Refusal } from '../errors.ts'

export type PublicPages = {
  readonly root: Static<typeof Root>
  readonly openApi: Readonly<Record<string, unknown>>
  readonly docsPage: string
  // The same and more without layout, for programs that read: a path, and what is there.
  readonly plainPages: ReadonlyMap<string, string>
  readonly health: () => { readonly database: boolean; readonly pool: boolean; readonly eventLoop: boolean }
  // Whether calls can be placed.
  readonly areProvidersUp: () => boolean
  // Whether changes to services are heard of at once; while not, every request asks the database.
  readonly isListening: () => boolean
  // False while starting and from the moment that the process was asked to stop.
  readonly isReady: () => boolean
}

export type PagesDeps = {
  readonly pages: PublicPages
  readonly isAlternative: (request: FastifyRequest) => boolean
  // Refuses an address that asks too often.
  readonly limit: (request: FastifyRequest, bucket: 'health' | 'docs') => void
}

const method = ['GET', 'HEAD']

export function publicPages({ pages, isAlternative, limit }: PagesDeps): FastifyPluginAsync {
  const health = async (request: FastifyRequest) => limit(request, 'health')
  // The alternative address serves methods and health alone.
  const docs = async (request: FastifyRequest) => {
    if (isAlternative(request)) throw new Refusal('methodUnknown')
    limit(request, 'docs')
  }
  const openApiText = JSON.stringify(pages.openApi)
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
    const texts = new Map([
      ['/openapi.json', ['application/json', openApiText]],
      ['/docs', ['text/html', pages.docsPage]],
      ...[...pages.plainPages].map(
        ([path, text]) => [path, [path.endsWith('.md') ? 'text/markdown' : 'text/plain', text]] as const,
      ),
    ] as [string, readonly [string, string]][])
    for (const [url, [type, text]] of texts) {
      app.route({ method, url, onRequest: docs, handler: async (_, reply) => sendText(reply, type, text) })
    }
  }
}

// Only what is this process's own fault takes it out of service. A database or a bus that is away is away for every process:
// with all of them out of service nobody would be told code 5.
async function sendReadiness(pages: PublicPages, reply: FastifyReply): Promise<FastifyReply> {
  const { database, pool, eventLoop } = pages.health()
  const own = { accepting: pages.isReady(), pool, event_loop: eventLoop }
  const shared = { database, providers: pages.areProvidersUp(), listening: pages.isListening() }
  const status = Object.values(own).every(Boolean)
  return reply.status(status ? 200 : 503).send({ status, ...own, ...shared })
}

async function sendText(reply: FastifyReply, type: string, text: string): Promise<FastifyReply> {
  return reply
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    .type(`${type}; charset=utf-8`)
    .send(text)
}
