// The line to one Asterisk: a WebSocket that carries its events, and our requests with their answers.
//
//   connecting   The socket is opened. Asterisk answers requests only once it is fully booted.
//   greeting     The socket is open; whoever owns the line compares what it knows with what is there.
//   up           Events and requests flow. A ping that is not answered by the next one ends the socket.
//   lost         Requests under way fail: whether they were heard is not known. After a moment, connecting again.
//
// Events of the time between lost and up are gone; that is what the greeting is for. A line that another process has taken
// over (ApplicationReplaced) stays open and silent, so it is closed and never opened again.

import { WebSocket } from 'ws'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { trusting } from './asterisk-tls.ts'

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
  readonly creationtime: string
}

export type AriEvent = {
  readonly type: string
  readonly timestamp: string
  readonly channel?: AriChannel
  readonly peer?: AriChannel
  readonly dialstatus?: string
  // Where the other side wants the call to go instead; empty when it does not.
  readonly forward?: string
  // The SIP status that ended the call; absent when we ended it.
  readonly tech_cause?: number
  readonly args?: readonly string[]
  readonly playback?: { readonly id: string; readonly state: string }
}

export type AriConnection = {
  readonly isUp: () => boolean
  // Rejects when the line is lost before the response.
  readonly request: (request: AriRequest) => Promise<AriResponse>
  readonly close: () => Promise<void>
}

export type AriConnectionDeps = {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly caFile?: string | undefined
  readonly application: string
  readonly clock: Clock
  readonly log: Logger
  readonly onEvent: (event: AriEvent) => void
  // Called with every new connection; the line is up when it has resolved, and tried again when it rejects.
  readonly onConnect: (request: AriConnection['request']) => Promise<void>
  readonly replaced: () => void
}

const pingMs = 5_000
const retryMs = 300

export function createAriConnection(deps: AriConnectionDeps): AriConnection {
  const closing = new AbortController()
  let live: Connection | undefined
  let isUp = false
  const keeping = (async () => {
    while (!closing.signal.aborted) {
      try {
        const connection = await connect(deps, closing.signal)
        live = connection
        await deps.onConnect(connection.request)
        isUp = true
        deps.log.info({ node: deps.application }, 'ARI connected')
        await connection.ended
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
      if (!live) throw new Error('there is no line to Asterisk')
      return live.request(request)
    },
    close: async () => {
      closing.abort()
      live?.cut()
      await keeping
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
    ...trusting(deps.caFile),
  })
  const waiting = new Map<string, PromiseWithResolvers<AriResponse>>()
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let wasAnswered = true
  const pings = deps.clock.every(pingMs, () => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (!wasAnswered) return socket.terminate()
    wasAnswered = false
    socket.ping()
  })
  socket.on('open', () => opened.resolve())
  socket.on('pong', () => {
    wasAnswered = true
  })
  socket.on('error', (error) => opened.reject(error))
  socket.on('message', (text: Buffer) => receive(deps, waiting, JSON.parse(text.toString()) as Received))
  socket.on('close', () => {
    pings.stop()
    closing.removeEventListener('abort', cut)
    opened.reject(new Error('Asterisk closed the line'))
    for (const { reject } of waiting.values()) reject(new Error('the line to Asterisk was lost'))
    waiting.clear()
    ended.resolve()
  })
  const cut = () => socket.terminate()
  closing.addEventListener('abort', cut)
  await opened.promise
  return { request: (request) => send(socket, waiting, request), cut, ended: ended.promise }
}

type Received = AriEvent & {
  readonly request_id?: string
  readonly status_code?: number
  readonly message_body?: string
}

function receive(
  deps: AriConnectionDeps,
  waiting: Map<string, PromiseWithResolvers<AriResponse>>,
  message: Received,
): void {
  if (message.type === 'ApplicationReplaced') return deps.replaced()
  if (message.type !== 'RESTResponse') return deps.onEvent(message)
  const id = message.request_id ?? ''
  const body: unknown = message.message_body ? JSON.parse(message.message_body) : undefined
  waiting.get(id)?.resolve({ status: message.status_code ?? 0, body })
  waiting.delete(id)
}

let serial = 0

function send(
  socket: WebSocket,
  waiting: Map<string, PromiseWithResolvers<AriResponse>>,
  { method, path, query = {}, body }: AriRequest,
): Promise<AriResponse> {
  if (socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('the line to Asterisk was lost'))
  const id = String(serial++)
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  )
  const uri = parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
  const content = body === undefined ? {} : { content_type: 'application/json', message_body: JSON.stringify(body) }
  const response = Promise.withResolvers<AriResponse>()
  waiting.set(id, response)
  socket.send(JSON.stringify({ type: 'RESTRequest', transaction_id: id, request_id: id, method, uri, ...content }))
  return response.promise
}
