// The ARI connection to one Asterisk: a WebSocket that carries its events, our requests and their responses.
//
//   connecting   The socket is opened. Asterisk replies to requests only once it is fully booted.
//   reconciling  The socket is open; onConnect compares our state with Asterisk's.
//   up           Events and requests flow. A ping without a pong before the next ping ends the socket, and so does a request without a
//                response: Asterisk may answer pings and nothing else.
//   lost         Requests in flight fail: whether Asterisk received them is unknown. After 300 ms, connecting again.
//
// Events between lost and up are gone; that is why onConnect reconciles. A connection that another one has taken over
// (ApplicationReplaced) stays open but gets no more events. It is closed, and opened again only if the other one may be ours: an
// Asterisk that was frozen serves the attempts that we gave up meanwhile, in any order.

import { WebSocket } from 'ws'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import { tlsTrust } from '../sip/tls.ts'

export type AriRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: unknown
}

export type AriResponse = { readonly status: number; readonly body: unknown }

export type AriChannel = {
  readonly id: string
  readonly name: string
  readonly state: string
  // The Call-ID; empty before it is known.
  readonly protocol_id?: string
  readonly creationtime: string
}

export type AriEvent = {
  readonly type: string
  readonly timestamp: string
  readonly channel?: AriChannel
  readonly peer?: AriChannel
  readonly dialstatus?: string
  // Call forwarding target; empty if the call is not forwarded.
  readonly forward?: string
  // The SIP status that ended the call; absent when we ended it.
  readonly tech_cause?: number
  readonly args?: readonly string[]
  readonly playback?: { readonly id: string; readonly state: string }
}

export type AriConnection = {
  readonly isUp: () => boolean
  // Rejects if the connection is lost before the response.
  readonly request: (request: AriRequest) => Promise<AriResponse>
  readonly close: () => Promise<void>
}

type AriConnectionDeps = {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly caFile?: string | undefined
  readonly application: string
  readonly clock: Clock
  readonly log: Logger
  readonly onEvent: (event: AriEvent) => void
  // Called on every new connection. The connection is up when it resolves; when it rejects, we reconnect.
  readonly onConnect: (request: AriConnection['request']) => Promise<void>
  readonly onReplaced: () => void
}

const pingMs = 5_000
const retryMs = 300
const responseMsMax = 5_000
// After an attempt was given up.
const servedLateMsMax = 30_000

export function createAriConnection(deps: AriConnectionDeps): AriConnection {
  const closing = new AbortController()
  let live: Connection | undefined
  let isUp = false
  let gaveUpAtMs = -Infinity
  const onReplaced = () => {
    if (deps.clock.monotonicMs() - gaveUpAtMs > deps.clock.scaledMs(servedLateMsMax)) return deps.onReplaced()
    deps.log.warn({ node: deps.application }, 'ARI connection replaced')
    return live?.cut()
  }
  const connecting = (async () => {
    while (!closing.signal.aborted) {
      try {
        const connection = await connect({ ...deps, onReplaced }, closing.signal).catch((error: unknown) => {
          gaveUpAtMs = deps.clock.monotonicMs()
          throw error
        })
        live = connection
        await deps.onConnect(connection.request)
        isUp = true
        deps.log.info({ node: deps.application }, 'ARI connected')
        await connection.ended
        if (!closing.signal.aborted) deps.log.warn({ node: deps.application }, 'ARI connection lost')
      } catch (error) {
        if (!closing.signal.aborted) deps.log.warn({ err: error, node: deps.application }, 'ARI connection failed')
      }
      isUp = false
      live?.cut()
      live = undefined
      await deps.clock.sleep(retryMs, closing.signal)
    }
  })()
  return {
    isUp: () => isUp,
    request: async (request) => {
      if (!live) throw new Error('ARI is not connected')
      return live.request(request)
    },
    close: async () => {
      closing.abort()
      live?.cut()
      await connecting
    },
  }
}

type Connection = {
  readonly request: AriConnection['request']
  readonly cut: () => void
  readonly ended: Promise<void>
}

async function connect(deps: AriConnectionDeps, closing: AbortSignal): Promise<Connection> {
  const address = `${deps.url.replace(/^http/, 'ws')}/ari/events?app=${encodeURIComponent(deps.application)}`
  const authorization = `Basic ${Buffer.from(`${deps.user}:${deps.password}`).toString('base64')}`
  const socket = new WebSocket(address, {
    headers: { authorization },
    perMessageDeflate: false,
    handshakeTimeout: deps.clock.scaledMs(responseMsMax),
    ...tlsTrust(deps.caFile),
  })
  const pending = new Map<string, PromiseWithResolvers<AriResponse>>()
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let hasPong = true
  const pings = deps.clock.every(pingMs, () => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (!hasPong) return socket.terminate()
    hasPong = false
    socket.ping()
  })
  socket.on('open', () => opened.resolve())
  socket.on('pong', () => {
    hasPong = true
  })
  socket.on('error', (error) => opened.reject(error))
  socket.on('message', (text: Buffer) => receive(deps, pending, JSON.parse(text.toString()) as Received))
  socket.on('close', () => {
    pings.stop()
    closing.removeEventListener('abort', cut)
    opened.reject(new Error('Asterisk closed the ARI connection'))
    for (const { reject } of pending.values()) reject(new Error('ARI connection lost'))
    pending.clear()
    ended.resolve()
  })
  const cut = () => socket.terminate()
  closing.addEventListener('abort', cut)
  await opened.promise
  const request = async (asked: AriRequest) => {
    const limit = deps.clock.after(responseMsMax, () => {
      deps.log.warn({ node: deps.application, method: asked.method, path: asked.path }, 'ARI request unanswered')
      cut()
    })
    return send(socket, pending, asked).finally(limit.stop)
  }
  return { request, cut, ended: ended.promise }
}

type Received = AriEvent & {
  readonly request_id?: string
  readonly status_code?: number
  readonly message_body?: string
}

function receive(
  deps: AriConnectionDeps,
  pending: Map<string, PromiseWithResolvers<AriResponse>>,
  message: Received,
): void {
  if (message.type === 'ApplicationReplaced') return deps.onReplaced()
  if (message.type !== 'RESTResponse') return deps.onEvent(message)
  const id = message.request_id ?? ''
  const body: unknown = message.message_body ? JSON.parse(message.message_body) : undefined
  pending.get(id)?.resolve({ status: message.status_code ?? 0, body })
  pending.delete(id)
}

let serial = 0

function send(
  socket: WebSocket,
  pending: Map<string, PromiseWithResolvers<AriResponse>>,
  { method, path, query = {}, body }: AriRequest,
): Promise<AriResponse> {
  if (socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('ARI connection lost'))
  const id = String(serial++)
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  )
  const uri = parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
  const content = body === undefined ? {} : { content_type: 'application/json', message_body: JSON.stringify(body) }
  const response = Promise.withResolvers<AriResponse>()
  pending.set(id, response)
  socket.send(JSON.stringify({ type: 'RESTRequest', transaction_id: id, request_id: id, method, uri, ...content }))
  return response.promise
}
