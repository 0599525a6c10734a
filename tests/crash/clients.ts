// All clients of a run: API clients that start verifications and poll them, subscribers who call in, and the webhook
// receiver. Every request and every response is recorded.
//
// An API client that gets no response or a 5xx retries with the same idempotency key at another process. Without a key
// it does not retry.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { callIn } from '../support/sip/subscriber.ts'
import type { ClientLine, ClientResponse, Recorder } from './histories.ts'
import type { Services } from './installation.ts'
import type { PlannedRequest } from './plan.ts'

export type ClientDeps = {
  readonly recorder: Recorder
  readonly services: Services
  readonly bases: readonly string[]
  // Where subscribers call, and the address they call from.
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly subscriberAddress: string
  readonly receiverUrl: string
}

export type Started = { readonly response: Received | undefined; readonly retries: number }

export type Clients = {
  // Only the request: its last response, and how often it was retried.
  readonly start: (request: PlannedRequest) => Promise<Started>
  // Resolves when the request and everything that follows from it is done.
  readonly send: (request: PlannedRequest) => Promise<void>
  // Reads everything that was accepted once more. Verifications without text that only their owner can decrypt are also
  // read by a foreign service.
  readonly askAll: () => Promise<void>
}

const triesMax = 8
const againMs = 350
const timeoutMs = 5_000
const pollMs = 3_000
const callAgainMs = 700
const subscriberTimeoutMs = 3_500
const askedAtOnce = 8

export function createClients(deps: ClientDeps): Clients {
  // By the number of the request.
  const accepted = new Map<number, { readonly id: number; readonly request: PlannedRequest }>()
  const info = (request: PlannedRequest, uid: number) => ask(deps, request, { method: 'getInfo', body: { uid } }, 0)
  const send = async (request: PlannedRequest): Promise<void> => {
    if (request.kind === 'foreign') {
      const other = accepted.get(request.of ?? -1)
      if (other) await info(request, other.id)
      return
    }
    const { response } = await start(deps, request)
    const id = response?.vendorId
    if (id === undefined) return
    if (request.kind !== 'replay') accepted.set(request.n, { id, request })
    if (request.mode === 'inbound') await callBack(deps, request, response?.confirmationNumber ?? '')
    await sleep(pollMs)
    await info(request, id)
  }
  const askAll = async () => {
    const waiting = [...accepted.values()]
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await info(next.request, next.id)
        if (next.request.unique === undefined) await info(asStranger(next.request), next.id)
      }
    }
    await Promise.all(Array.from({ length: askedAtOnce }, lane))
  }
  return { start: (request) => start(deps, request), send, askAll }
}

function asStranger(request: PlannedRequest): PlannedRequest {
  return { ...request, kind: 'foreign', service: request.service === 'red' ? 'green' : 'red' }
}

type ToSend = { readonly method: ClientLine['method']; readonly body: Readonly<Record<string, unknown>> }
type Received = ClientResponse & { readonly confirmationNumber?: string }

async function start(deps: ClientDeps, request: PlannedRequest): Promise<Started> {
  const toSend = requestOf(deps, request)
  for (let retries = 0; ; retries++) {
    const response = await ask(deps, request, toSend, retries)
    const isDefinite = response !== undefined && response.status < 500
    if (isDefinite || request.unique === undefined || retries === triesMax) return { response, retries }
    await sleep(againMs * (1 + (retries % 3)))
  }
}

function requestOf({ receiverUrl }: ClientDeps, request: PlannedRequest): ToSend {
  const { n, phone, unique, mode, service, receiverFailures } = request
  const url = request.receiverUrl ?? receiverUrl
  const key = unique === undefined ? {} : { unique }
  return mode === 'inbound'
    ? {
        method: 'inboundCallWaiting',
        body: { phone, callback_url: `${url}/${service}/${n}/${receiverFailures}` },
      }
    : { method: 'initCall', body: { phone, voice: mode === 'voice', mix: mode === 'mix', ...key } }
}

// At one process, or at the other if nothing listens there: a request that was never sent may be sent again.
async function ask(
  deps: ClientDeps,
  request: PlannedRequest,
  toSend: ToSend,
  tries: number,
): Promise<Received | undefined> {
  const { n, kind, phone, unique } = request
  const { key, serviceId } = deps.services[request.service]
  for (let turn = 0; ; turn++) {
    const sentAtMs = Date.now()
    const base = deps.bases[(request.api + tries + turn) % deps.bases.length] ?? ''
    const { response, isUnsent } = await post(
      `${base}/v1.0/${toSend.method}`,
      `Bearer ${key}.${serviceId}`,
      toSend.body,
    )
    const { confirmationNumber: _, ...kept } = response ?? { status: 0 }
    const ofKey = unique === undefined || toSend.method !== 'initCall' ? {} : { unique }
    const outcome = response ? { response: kept } : isUnsent ? ({ isUnsent } as const) : {}
    const line = {
      n,
      kind,
      phone,
      serviceId,
      method: toSend.method,
      ...ofKey,
      sentAtMs,
      doneAtMs: Date.now(),
      ...outcome,
    }
    deps.recorder.client(line)
    if (!isUnsent || turn === deps.bases.length - 1) return response
  }
}

async function post(
  url: string,
  authorization: string,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly response?: Received; readonly isUnsent: boolean }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { response: answerOf(response.status, (await response.json()) as Record<string, unknown>), isUnsent: false }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    return { isUnsent: cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED' }
  }
}

function answerOf(status: number, json: Record<string, unknown>): Received {
  const fields = {
    vendorId: json['vendor_id'],
    exists: json['exists'],
    callStatus: json['call_status'],
    cost: json['cost'],
    confirmationNumber: json['confirmation_number'],
    ...(json['status'] === false ? { code: json['code'] } : {}),
  }
  return { status, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) }
}

// The subscriber calls the number they were given. If they get no busy signal, they try the other node once.
async function callBack(deps: ClientDeps, request: PlannedRequest, called: string): Promise<void> {
  for (let call = 0; call < request.subscriberCalls; call++) {
    for (let tries = 0; tries < 3; tries++) {
      const statuses = await callOnce(deps, request, called, request.node + tries)
      if (statuses.at(-1) === 486) break
      await sleep(callAgainMs)
    }
  }
}

async function callOnce(
  { nodes, subscriberAddress, recorder }: ClientDeps,
  { phone }: PlannedRequest,
  called: string,
  turn: number,
): Promise<readonly number[]> {
  const atMs = Date.now()
  const statuses: number[] = []
  const { host = '', port = 0 } = nodes[turn % nodes.length] ?? {}
  const from = `<sip:+${phone}@carrier.example>`
  const call = { called: `+${called}`, from, timeoutMs: subscriberTimeoutMs, host, own: subscriberAddress }
  await callIn(port, call, (status) => statuses.push(status)).catch(() => undefined)
  recorder.carrier({ type: 'call-in', atMs, phone, called, statuses })
  return statuses
}

// How a receiver treats a webhook, if not as its path says: the status that is recorded, and what it does.
export type Manner = { readonly status: number; readonly respond: (response: ServerResponse) => void }

export type Receiver = { readonly url: string; readonly close: () => Promise<void> }

// The path of a webhook says whose it is and how often the receiver fails before it accepts.
export async function createReceiver(
  recorder: Recorder,
  services: Services,
  host = '127.0.0.1',
  mannerOf: (path: string) => Manner | undefined = () => undefined,
): Promise<Receiver> {
  const receivedAt = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const [, name = '', , failures = '0'] = path.split('/')
      const nth = receivedAt.get(path) ?? 0
      receivedAt.set(path, nth + 1)
      const body = Buffer.concat(chunks).toString()
      const event = JSON.parse(body) as { callId: string; clientNumber: string }
      const headers = request.headers as Record<string, string>
      const manner = mannerOf(path)
      const status = manner?.status ?? (nth < Number(failures) ? 500 : 204)
      recorder.receiver({
        atMs: Date.now(),
        path,
        webhookId: headers['webhook-id'] ?? '',
        status,
        isSigned: isSigned(services[name as keyof typeof services].webhookSecret, body, headers),
        callId: Number(event.callId),
        clientNumber: event.clientNumber,
      })
      if (manner) manner.respond(response)
      else response.writeHead(status).end()
    })
  }).listen(0, host)
  await once(server, 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function isSigned(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
