// What is answered without a key: whether we are there, and how to talk to us.

import { Health, type Root } from '@ringproof/contract/answers.ts'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { Refusal } from '../errors.ts'

export type OpenPages = {
  readonly root: Static<typeof Root>
  readonly openApi: Readonly<Record<string, unknown>>
  readonly docsPage: string
  // The same and more without layout, for programs that read: a path, and what is there.
  readonly plainPages: ReadonlyMap<string, string>
  // Whether the record answers.
  readonly isDatabaseUp: () => Promise<boolean>
  // Whether calls can be placed.
  readonly areProvidersUp: () => boolean
  // Whether changes to services are heard of at once; while not, every request asks the record.
  readonly isListening: () => boolean
  // False while starting and from the moment that the process was asked to stop.
  readonly isReady: () => boolean
}

export function openPages(pages: OpenPages, isAlternative: (request: FastifyRequest) => boolean): FastifyPluginAsync {
  // The alternative address serves methods and health alone.
  const mainOnly = async (request: FastifyRequest) => {
    if (isAlternative(request)) throw new Refusal('methodUnknown')
  }
  const openApiText = JSON.stringify(pages.openApi)
  return async (app) => {
    app.get('/health', { schema: { response: { '2xx': Health, '5xx': Health } } }, async (_, reply) => {
      const database = await pages.isDatabaseUp()
      return reply.status(database ? 200 : 503).send({ status: database, database, providers: pages.areProvidersUp() })
    })
    app.get('/livez', async () => ({ status: true }))
    app.get('/readyz', async (_, reply) => {
      const components = { accepting: pages.isReady(), database: await pages.isDatabaseUp() }
      const status = components.accepting && components.database
      return reply.status(status ? 200 : 503).send({ status, ...components, listening: pages.isListening() })
    })
    app.get('/openapi.json', { onRequest: mainOnly }, async (_, reply) =>
      sendText(reply, 'application/json', openApiText),
    )
    app.get('/docs', { onRequest: mainOnly }, async (_, reply) => sendText(reply, 'text/html', pages.docsPage))
    for (const [path, text] of pages.plainPages) {
      const type = path.endsWith('.md') ? 'text/markdown' : 'text/plain'
      app.get(path, { onRequest: mainOnly }, async (_, reply) => sendText(reply, type, text))
    }
  }
}

async function sendText(reply: FastifyReply, type: string, text: string): Promise<FastifyReply> {
  return reply
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    .type(`${type}; charset=utf-8`)
    .send(text)
}
