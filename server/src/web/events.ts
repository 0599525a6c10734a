// Server-sent events: hints that something changed, so that a page reads it again. A browser that missed some loses nothing. One
// stream per browser; it ends with the session and the membership, checked again and again, and when the server stops. Its heartbeat is a
// hint without topics: by it a page knows that the server is there.

import type { LiveTopic } from '@ringproof/contract/web/api.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Visitor } from '../actions/people/visitor.ts'
import type { AccountId } from '../domain/core/slot.ts'
import type { Clock } from '../process/clock.ts'
import { Denial } from '../process/errors.ts'

export type WatchLive = (
  accountId: AccountId,
  onTopics: (topics: readonly LiveTopic[]) => void,
) => { readonly close: () => void }

type Deps = { readonly watchLive: WatchLive; readonly clock: Clock; readonly stopping: AbortSignal }

const heartbeatMs = 4_000
const checkMs = 15_000
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
    const { raw } = reply
    reply.hijack()
    raw.on('error', () => undefined)
    // The browser may have gone while we looked.
    if (raw.destroyed) return
    streams.set(userId, open + 1)
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // nginx would hold events back.
      'x-accel-buffering': 'no',
    })
    raw.write(`retry: ${retryMs}\n\n`)
    const accountId = hintedAccount(visitor)
    const hint = (topics: readonly LiveTopic[]) => raw.write(`data: ${JSON.stringify({ topics })}\n\n`)
    const watch = accountId && watchLive(accountId, hint)
    const stop = () => {
      if (watch) watch.close()
      beat.stop()
      check.stop()
    }
    // Behind another response of its connection an ended one stays open, and a write would be an error.
    const end = () => {
      stop()
      raw.end()
    }
    const beat = clock.every(heartbeatMs, () => hint([]))
    const check = clock.every(checkMs, () => {
      visitorOf(request).then((still) => (isSame(visitor, still) ? undefined : end()), end)
    })
    stopping.addEventListener('abort', end)
    raw.once('close', () => {
      const left = (streams.get(userId) ?? 1) - 1
      if (left > 0) streams.set(userId, left)
      else streams.delete(userId)
      stop()
      stopping.removeEventListener('abort', end)
    })
  })
}

// Somebody who left the account, or may no longer read it, gets no more hints about it.
function isSame(visitor: Visitor, still: Visitor | undefined): boolean {
  return still !== undefined && hintedAccount(still) === hintedAccount(visitor)
}

function hintedAccount({ membership, rights }: Visitor): AccountId | undefined {
  return rights.includes('read') ? membership?.accountId : undefined
}
