// The test API, beside the contract: GET /test/v1/phones/{number}/wait responds when the phone rings. Its requests pass the same
// steps as those of a method, and wait for up to a minute, so each service has only a few of them. POST /test/v1/webhooks takes
// every webhook and forgets it: a receiver for people who try inbound verification before they have one.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WaitCommand, WaitedCall } from '../actions/phones/phones.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import type { ServiceId, VerificationId } from '../domain/core/slot.ts'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import { Refusal } from '../process/errors.ts'
import { type AdmittedRequest, type Gate, rejectThrottledAddress } from './authenticate-request.ts'
import type { Fields } from './request-fields.ts'
import { notesOf } from './request-notes.ts'

export type WaitForCall = (
  apiClient: ApiClient,
  command: WaitCommand,
  gone: AbortSignal,
) => Promise<WaitedCall | undefined>

type TestApiDeps = {
  readonly gate: Gate
  // Every step up to the parameters.
  readonly authenticate: (request: FastifyRequest) => Promise<AdmittedRequest>
  // Refuses an address that sends too much.
  readonly limitRate: (request: FastifyRequest) => void
  readonly waitForCall: WaitForCall
}

const waitsPerService = 20
const waitsMax = 500
const timeoutSeconds = { least: 1, most: 60, default: 30 } as const

export function addTestApi(app: FastifyInstance, { gate, authenticate, limitRate, waitForCall }: TestApiDeps): void {
  const limit = createWaitLimit()
  // A process that stops ends its waits: the client gets the response of a timeout.
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  app.post('/test/v1/webhooks', {
    onRequest: (request, _, done) => {
      notesOf(request).apiMethod = 'takeWebhook'
      limitRate(request)
      done()
    },
    handler: async () => ({ status: true }),
  })
  app.route<{ Params: { number: string } }>({
    method: 'GET',
    url: '/test/v1/phones/:number/wait',
    onRequest: (request, _, done) => {
      notesOf(request).apiMethod = 'waitForCall'
      rejectThrottledAddress(gate, request)
      done()
    },
    handler: async (request, reply) => {
      const { apiClient, fields } = await authenticate(request)
      const command = { number: request.params.number as PhoneNumber, ...parametersOf(fields) }
      const gone = AbortSignal.any([closing.signal, disconnectOf(reply)])
      const call = await limit(apiClient.serviceId, () => waitForCall(apiClient, command, gone))
      return call ?? reply.status(204).send()
    },
  })
}

function parametersOf({ values }: Fields): Omit<WaitCommand, 'number'> {
  const { least, most } = timeoutSeconds
  const timeout = integerOf(values.get('timeout') ?? String(timeoutSeconds.default))
  if (timeout === undefined || timeout < least || timeout > most) {
    throw invalidParameter('timeout', `an integer from ${least} to ${most}`, `целое число от ${least} до ${most}`)
  }
  const after = integerOf(values.get('after') ?? '0')
  if (after === undefined) throw invalidParameter('after', 'a vendor_id', 'vendor_id')
  return { timeoutSeconds: timeout, after: after as VerificationId }
}

function integerOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))
    ? Number(value)
    : undefined
}

function invalidParameter(parameter: string, en: string, ru: string): Refusal {
  return new Refusal('invalidParameter', { parameter, expected: { en, ru } })
}

function disconnectOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

function createWaitLimit() {
  const byService = new Map<ServiceId, number>()
  let total = 0
  return async <T>(serviceId: ServiceId, work: () => Promise<T>): Promise<T> => {
    const ofService = byService.get(serviceId) ?? 0
    if (ofService >= waitsPerService || total >= waitsMax) throw new Refusal('serverBusy', {}, 1)
    byService.set(serviceId, ofService + 1)
    total += 1
    try {
      return await work()
    } finally {
      total -= 1
      const left = (byService.get(serviceId) ?? 1) - 1
      if (left === 0) byService.delete(serviceId)
      else byService.set(serviceId, left)
    }
  }
}
