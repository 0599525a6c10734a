// Serves the built pages under the policy of the product, and answers the internal API from fixtures. For tests of what the
// pages look like; what they do is tested with the real server.

import { join } from 'node:path'
import type { WebRefusal } from '@ringproof/contract/web/api.ts'
import Fastify from 'fastify'
import { addPages, readAssets } from '../../../server/src/web/assets.ts'
import type { Answers } from './fixtures.ts'

export const distFolder = join(import.meta.dirname, '../../../web/dist')

export type FixtureServer = {
  readonly origin: string
  readonly close: () => Promise<void>
  // What the next requests get. A refusal is an object with `error`.
  answers: Answers | Record<string, WebRefusal>
}

export async function serveFixtures(answers: Answers): Promise<FixtureServer> {
  const app = Fastify({ forceCloseConnections: true })
  const served: FixtureServer = { origin: '', answers, close: () => app.close() }
  addPages(app, readAssets(distFolder))
  app.get('/web/events', (_, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.raw.write('retry: 60000\n\n')
    const beat = setInterval(() => reply.raw.write('data: {"topics":[]}\n\n'), 2_000)
    reply.raw.once('close', () => clearInterval(beat))
  })
  app.get('/health', () => ({ status: true, database: true, providers: true }))
  app.all('/web/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    const table: Readonly<Record<string, unknown>> = served.answers
    const answer = table[name]
    const isRefusal = typeof answer === 'object' && answer !== null && 'error' in answer
    return reply.code(isRefusal ? 403 : 200).send(answer ?? {})
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return Object.assign(served, { origin })
}
