// The sockets: how long and how large a request may be before anybody reads it, and how a connection ends.
//
// To close a connection with something still unread is to reset it, and a reset may overtake the respond. So where the
// client may still be sending, the respond is followed by our end of the connection, then by a moment in which nothing
// more is read, then by the close.

import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { Clock } from '../clock.ts'

export const headerBytesMax = 16 * 1024
export const bodyBytesMax = 16 * 1024
// Not scaled: they are about networks, and those are as slow in a test as anywhere.
const headersMs = 10_000
const requestMs = 15_000
// Longer than proxies keep their connections to us, so that it is they who close them and no request is lost on the way.
const keepAliveMs = 75_000
const checkMs = 500
const lingerMs = 500
const stragglersMs = 1_000

// Stand in every respond, whoever gives it. A browser that has seen the last one never sends a key to that host in clear
// again; the alternative listener is plain on purpose and must not say so.
export function headersAlways(publicUrl: string): FixedHeaders {
  const always = { 'x-content-type-options': 'nosniff' }
  return publicUrl.startsWith('https:') ? { ...always, 'strict-transport-security': 'max-age=31536000' } : always
}

type FixedHeaders = Readonly<Record<string, string>>

// Every open connection, with the requests that are being answered over it.
type Connections = Map<Socket, Set<IncomingMessage>>

export function createWebServer(clock: Clock, fixedHeaders: FixedHeaders, listener: RequestListener): Server {
  const connections: Connections = new Map()
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const inFlight = connections.get(request.socket)?.add(request)
    response.once('close', () => inFlight?.delete(request))
    response.once('finish', () => {
      // Node reads the rest of a body that nobody wanted, in order to keep the connection: of one that may be without end it
      // must not, and of a short one it must, because the client was not told that the connection ends.
      if (!request.complete && !announcesLittle(request)) request.socket.destroySoon()
      if (!server.listening) server.closeIdleConnections()
    })
    if (!server.listening || announcesTooMuch(request)) response.setHeader('connection', 'close')
    if (namesItsHost(request)) listener(request, response)
    else refuseHost(response)
  }
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      // Node looks for slow requests only this often; its own default would let them live half a minute longer.
      connectionsCheckingInterval: checkMs,
      // Node's own refusal is not in our form, and does not mind two of them.
      requireHostHeader: false,
      ServerResponse: responseWith(fixedHeaders),
    },
    respond,
  )
  // Whoever asks before sending a body that is too large is told so at once. Other expectations mean nothing here.
  server.on('checkContinue', (request, response) => {
    if (!announcesTooMuch(request)) response.writeContinue()
    respond(request, response)
  })
  server.on('checkExpectation', respond)
  server.on('clientError', (error, socket: Socket) => refuseUnreadable(clock, fixedHeaders, error, socket))
  keepConnections(server, clock, connections)
  return server
}

// The headers join those of writeHead, through which every response goes. After a setHeader Node would set all of them one
// by one, which every request would pay for.
function responseWith(fixedHeaders: FixedHeaders): typeof ServerResponse<IncomingMessage> {
  return class extends ServerResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      const [reason] = typeof rest[0] === 'string' ? rest.splice(0, 1) : [undefined]
      const headers = { ...fixedHeaders, ...(rest[0] as OutgoingHttpHeaders | undefined) }
      return reason === undefined
        ? super.writeHead(status, headers)
        : super.writeHead(status, reason as string, headers)
    }
  }
}

// While a server closes, Node waits for every connection that has not sent a whole request, and no longer looks how long
// that takes: one that never says a word would hold the process until it is cut. They get a moment, and what is being
// answered gets all its time.
function keepConnections(server: Server, clock: Clock, connections: Connections): void {
  server.on('connection', (socket) => {
    const inFlight = new Set<IncomingMessage>()
    connections.set(socket, inFlight)
    socket.once('close', () => connections.delete(socket))
    // This is how Node closes after the last respond of a connection.
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      if ([...inFlight].every(({ complete }) => complete)) destroySoon()
      else hangUp(clock, socket)
    }
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    clock.after(stragglersMs, () => {
      for (const [socket, inFlight] of connections) {
        if (![...inFlight].some(({ complete }) => complete)) socket.destroy()
      }
    })
    return close(done)
  }
}

function hangUp(clock: Clock, socket: Socket, lastWords = ''): void {
  if (socket.writableEnded) return
  socket.end(lastWords)
  // Node is about to read on, to be rid of the rest.
  socket.on('resume', () => socket.pause())
  socket.pause()
  clock.after(lingerMs, () => socket.destroy())
}

function announcesLittle({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= bodyBytesMax
}

export function announcesTooMuch({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > bodyBytesMax
}

// With two of them, whoever stands before us may have gone by the other.
function namesItsHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0
  // Names and values by turns.
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count === 1 || (count === 0 && httpVersion === '1.0')
}

// What is not even HTTP never reaches a handler, and is answered in the same form all the same.
function refuseUnreadable(
  clock: Clock,
  fixedHeaders: FixedHeaders,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = refusalResponse(refusalOf(error.code))
  const lines = Object.entries({ ...fixedHeaders, ...headers }).map(([name, value]) => `${name}: ${value}`)
  hangUp(clock, socket, [`HTTP/1.1 ${status} Refused`, ...lines, '', body].join('\r\n'))
}

function refuseHost(response: ServerResponse): void {
  const { status, headers, body } = refusalResponse('malformedRequest')
  response.writeHead(status, headers).end(body)
}

function refusalResponse(refusal: RefusalName) {
  const { status, code, en } = refusals[refusal]
  const body = JSON.stringify({ status: false, error: en, code })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': randomUUID(),
    Connection: 'close',
  }
  return { status, headers, body }
}

function refusalOf(errorCode: string | undefined): RefusalName {
  if (errorCode === 'HPE_HEADER_OVERFLOW') return 'headersTooLarge'
  return errorCode === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'requestTimeout' : 'malformedRequest'
}
