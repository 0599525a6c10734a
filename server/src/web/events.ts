// Server-sent events: hints that something changed, so that a page reads it again. A browser that missed some loses nothing. One
// stream per browser; it ends with the session, which is checked with every heartbeat, and when the server stops.

import type { LiveTopic } from '@ringproof/contract/web/api.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Visitor } from '../actions/find-visitor.ts'
import type { Clock } from '../clock.ts'
import type { AccountId } from '../domain/slot.ts'
import { Denial } from '../errors.ts'

export type WatchLive = (
  accountId: AccountId,
  onTopics: (topics: readonly LiveTopic[]) => void,
) => { readonly close: () => void }

type Deps = { readonly watchLive: WatchLive; readonly clock: Clock; readonly stopping: AbortSignal }

const heartbeatMs = 15_000
const streamsPerUserMax = 10
const retryMs = 2_000

export function addEvents(
  app: FastifyInstance,
  { watchLive, clock, stopping }: Deps,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const streams = new Map<number, number>()
  app.get('/web/events', async (request, reply) => {
    const visitor = await visitorOf(request)
    if (visitor?.session.stage !== 'signed-in') throw new Denial('not-signed-in')
    const userId = visitor.user.id
    const open = streams.get(userId) ?? 0
    if (open >= streamsPerUserMax) throw new Denial('too-many')
    streams.set(userId, open + 1)

    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // nginx would hold events back.
      'x-accel-buffering': 'no',
    })
    raw.write(`retry: ${retryMs}\n\n`)
    const accountId = visitor.membership?.accountId
    const watch = accountId && watchLive(accountId, (topics) => raw.write(`data: ${JSON.stringify({ topics })}\n\n`))
    const end = () => raw.end()
    const beat = clock.every(heartbeatMs, () => {
      raw.write(': still here\n\n')
      visitorOf(request).then((still) => still ?? end(), end)
    })
    stopping.addEventListener('abort', end)
    raw.once('close', () => {
      streams.set(userId, (streams.get(userId) ?? 1) - 1)
      if (watch) watch.close()
      beat.stop()
      stopping.removeEventListener('abort', end)
    })
  })
}
