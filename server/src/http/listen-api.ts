// Streams a service's webhooks to a program without a public address, beside the contract: GET /test/v1/webhooks/listen is a
// stream of server-sent events, POST the same path says what the local program responded. The stream ends with the key, which
// is checked at every heartbeat, and each account has only a few of them in a process.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountId, ServiceId } from '../domain/core/slot.ts'
import type { Clock } from '../process/clock.ts'
import { Refusal } from '../process/errors.ts'
import { type AdmittedRequest, type Gate, rejectThrottledAddress } from './authenticate-request.ts'
import { notesOf } from './request-notes.ts'

export type WebhookStream = {
  readonly watch: (
    serviceId: ServiceId,
    onWebhook: (webhook: { readonly delivery: string }) => void,
  ) => { readonly close: () => void }
  readonly reply: (
    serviceId: ServiceId,
    delivery: string,
    result: { readonly status: number | null; readonly response: string },
  ) => boolean
}

type ListenApiDeps = {
  readonly gate: Gate
  // Every step up to the parameters.
  readonly authenticate: (request: FastifyRequest) => Promise<AdmittedRequest>
  // Undefined without NATS.
  readonly webhooks: WebhookStream | undefined
  readonly clock: Clock
}

const path = '/test/v1/webhooks/listen'
const streamsPerAccount = 5
const streamsMax = 200
const heartbeatMs = 15_000
const responseCharsMax = 2_000

export function addListenApi(app: FastifyInstance, deps: ListenApiDeps): void {
  const { gate, authenticate, webhooks } = deps
  const streams = new Map<AccountId, number>()
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const onRequest = (request: FastifyRequest, _: FastifyReply, done: () => void) => {
    notesOf(request).apiMethod = 'listen'
    rejectThrottledAddress(gate, request)
    done()
  }
  app.get(path, {
    onRequest,
    handler: async (request, reply) => {
      const { serviceId, accountId } = (await authenticate(request)).apiClient
      const ofAccount = streams.get(accountId) ?? 0
      const total = [...streams.values()].reduce((sum, count) => sum + count, 0)
      if (!webhooks || ofAccount >= streamsPerAccount || total >= streamsMax) throw new Refusal('serverBusy', {}, 1)
      streams.set(accountId, ofAccount + 1)
      reply.raw.once('close', () => {
        const left = (streams.get(accountId) ?? 1) - 1
        if (left > 0) streams.set(accountId, left)
        else streams.delete(accountId)
      })
      reply.hijack()
      stream({ ...deps, webhooks }, request, reply, { serviceId, stopping: closing.signal })
    },
  })
  app.post(path, {
    onRequest,
    handler: async (request) => {
      const { apiClient, fields } = await authenticate(request)
      const { delivery, status, response } = Object.fromEntries(fields.values)
      const result = {
        status: typeof status === 'number' && status >= 100 && status < 600 ? status : null,
        response: typeof response === 'string' ? response.slice(0, responseCharsMax) : '',
      }
      if (typeof delivery !== 'string' || !webhooks?.reply(apiClient.serviceId, delivery, result)) {
        throw new Refusal('invalidParameter', {
          parameter: 'delivery',
          expected: { en: 'the delivery of an event', ru: 'delivery из события' },
        })
      }
      return { status: true }
    },
  })
}

type Open = { readonly serviceId: ServiceId; readonly stopping: AbortSignal }

function stream(
  { authenticate, webhooks, clock }: ListenApiDeps & { readonly webhooks: WebhookStream },
  request: FastifyRequest,
  { raw }: FastifyReply,
  { serviceId, stopping }: Open,
): void {
  raw.on('error', () => undefined)
  // The client may have gone while we looked at its key.
  if (raw.destroyed) return
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // nginx would hold events back.
    'x-accel-buffering': 'no',
  })
  raw.write(': listening\n\n')
  const watch = webhooks.watch(serviceId, (webhook) => raw.write(`data: ${JSON.stringify(webhook)}\n\n`))
  const end = () => {
    stop()
    raw.end()
  }
  const beat = clock.every(heartbeatMs, () => {
    raw.write(': still here\n\n')
    authenticate(request).catch(end)
  })
  const stop = () => {
    watch.close()
    beat.stop()
    stopping.removeEventListener('abort', end)
  }
  stopping.addEventListener('abort', end)
  raw.once('close', stop)
}
