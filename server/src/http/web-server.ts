// The sockets: how long and how large a request may be before anybody reads it, and how a connection ends.

import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { Clock } from '../clock.ts'

export const headerBytesMax = 16 * 1024
export const bodyBytesMax = 16 * 1024
const headersMs = 10_000
const requestMs = 15_000
const keepAliveMs = 5_000
const checkMs = 500
const lingerMs = 500
const stragglersMs = 1_000

export function openWebServer(clock: Clock, listener: RequestListener): Server {
  const underWay = new Set<IncomingMessage>()
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    underWay.add(request)
    response.once('close', () => underWay.delete(request))
    // Node would read the rest of a body that nobody wants, in order to keep the connection.
    if (announcesTooMuch(request)) response.setHeader('connection', 'close')
    response.once('finish', () => {
      if (!request.complete) request.socket.destroySoon()
      if (!server.listening) server.closeIdleConnections()
    })
    if (request.headers.host === undefined && request.httpVersion === '1.1') refuseHostless(response)
    else listener(request, response)
  }
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: clock.scaledMs(headersMs),
      requestTimeout: clock.scaledMs(requestMs),
      keepAliveTimeout: clock.scaledMs(keepAliveMs),
      // Node looks for slow requests only this often; its own default would let them live half a minute longer.
      connectionsCheckingInterval: clock.scaledMs(checkMs),
      // Node's own refusal is not in our form.
      requireHostHeader: false,
    },
    answer,
  )
  // Whoever asks before sending a body that is too large is told so at once. Other expectations mean nothing here.
  server.on('checkContinue', (request, response) => {
    if (!announcesTooMuch(request)) response.writeContinue()
    answer(request, response)
  })
  server.on('checkExpectation', answer)
  server.on('clientError', (error, socket) => refuseUnreadable(clock, error, socket as Socket))
  hangUpOnStragglers(server, clock, underWay)
  return server
}

// While a server closes, Node waits for every connection that has not sent a whole request, and no longer looks how long
// that takes: one that never says a word would hold the process until it is cut. They get a moment, and what is being
// answered gets all its time.
function hangUpOnStragglers(server: Server, clock: Clock, underWay: ReadonlySet<IncomingMessage>): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    clock.after(stragglersMs, () => {
      const awaited = new Set([...underWay].filter(({ complete }) => complete).map(({ socket }) => socket))
      for (const socket of sockets) if (!awaited.has(socket)) socket.destroy()
    })
    return close(done)
  }
}

function announcesTooMuch({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > bodyBytesMax
}

// What is not even HTTP never reaches a handler, and is answered in the same form all the same.
function refuseUnreadable(clock: Clock, error: Error & { code?: string }, socket: Socket): void {
  // More of what has been refused already.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, body, headers } = refusalAnswer(refusalOf(error.code))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} Refused`, ...lines, '', body].join('\r\n'))
  // To close with something still unread is to reset, and a reset may overtake the answer. Whoever never closes his side
  // is not waited for.
  clock.after(lingerMs, () => socket.destroy())
}

function refuseHostless(response: ServerResponse): void {
  const { status, body, headers } = refusalAnswer('unreadable')
  response.writeHead(status, headers).end(body)
}

function refusalAnswer(refusal: RefusalName) {
  const { status, code, en } = refusals[refusal]
  const body = JSON.stringify({ status: false, error: en, code })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
  return { status, body, headers }
}

function refusalOf(errorCode: string | undefined): RefusalName {
  if (errorCode === 'HPE_HEADER_OVERFLOW') return 'headersTooLarge'
  return errorCode === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'requestTooSlow' : 'unreadable'
}
