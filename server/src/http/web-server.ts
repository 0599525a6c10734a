// The HTTP server: limits on the time and size of a request before it is read, and how a connection is closed.
//
// Closing a socket with unread data sends a TCP reset, and the reset may overtake the response. So while the client may still
// be sending, we send the response, end our side, stop reading for 500 ms, and only then close.

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
import { refusals } from '@ringproof/contract/errors.ts'
import { requestFaults } from '@ringproof/contract/request-faults.ts'
import type { Clock } from '../process/clock.ts'
import { Refusal, refusalSentence } from '../process/errors.ts'
import { type ErrorLink, errorLinkOf } from './error-link.ts'
import { type ParseError, parseAgain } from './raw-utf8.ts'

const headerBytesMax = 16 * 1024
export const bodyBytesMax = 16 * 1024
// Not scaled: networks are as slow in a test as in production.
const headersMs = 10_000
const requestMs = 15_000
// Longer than proxies keep connections to us, so that the proxy closes first and no request is lost in between.
const keepAliveMs = 75_000
const checkMs = 500
const lingerMs = 500
const stragglersMs = 1_000

type FixedHeaders = Readonly<Record<string, string>>
// Headers of every response, and of those that this file refuses.
type SiteHeaders = { readonly always: FixedHeaders; readonly errorLink: ErrorLink }

// A browser that has seen strict-transport-security never sends a key to that host unencrypted again; the alternative listener is
// plain HTTP on purpose and must not send it.
export function siteHeaders(publicUrl: string, { isAlternative = false } = {}): SiteHeaders {
  const always = { 'x-content-type-options': 'nosniff' }
  const hasTls = publicUrl.startsWith('https:') && !isAlternative
  return {
    always: hasTls ? { ...always, 'strict-transport-security': 'max-age=31536000' } : always,
    errorLink: errorLinkOf(publicUrl),
  }
}

// Every open connection with its requests in flight.
type Connections = Map<Socket, Set<IncomingMessage>>

export function createWebServer(clock: Clock, site: SiteHeaders, listener: RequestListener): Server {
  const connections: Connections = new Map()
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const inFlight = connections.get(request.socket)?.add(request)
    response.once('close', () => inFlight?.delete(request))
    response.once('finish', () => {
      // Node reads the rest of an unread body to keep the connection alive. It must for a short body, because the client does
      // not expect the connection to close, and must not for a body of unknown length.
      if (!request.complete && !declaresSmallBody(request)) request.socket.destroySoon?.()
      if (!server.listening) server.closeIdleConnections()
    })
    if (!server.listening || declaresLargeBody(request)) response.setHeader('connection', 'close')
    if (hasOneHost(request)) listener(request, response)
    else refuseHost(site, response)
  }
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      // How often Node checks for slow requests; its default would let them live 30 seconds longer.
      connectionsCheckingInterval: checkMs,
      // Checked by us: Node's refusal is not in our format, and Node accepts two Host headers.
      requireHostHeader: false,
      ServerResponse: responseWith(site.always),
    },
    respond,
  )
  // A client that asks first (Expect: 100-continue) with a body that is too large is refused at once.
  server.on('checkContinue', (request, response) => {
    if (!declaresLargeBody(request)) response.writeContinue()
    respond(request, response)
  })
  server.on('checkExpectation', respond)
  server.on('clientError', (error, socket: Socket) => {
    if (!parseAgain(server, error, socket)) refuseMalformed(clock, site, error, socket)
  })
  trackConnections(server, clock, connections)
  return server
}

// Adds the headers in writeHead, which every response goes through. After a setHeader call Node would set all headers one by
// one, which costs every request.
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

// While a server closes, Node waits for every connection without a complete request and no longer applies its timeouts: a
// silent connection would hold the process. Such connections get one second; requests in flight get their full time.
function trackConnections(server: Server, clock: Clock, connections: Connections): void {
  server.on('connection', (socket) => {
    const inFlight = new Set<IncomingMessage>()
    connections.set(socket, inFlight)
    socket.once('close', () => connections.delete(socket))
    // A request that is parsed again comes over a stream without it.
    if (typeof socket.destroySoon !== 'function') return
    // Node calls this after the last response of a connection.
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      if ([...inFlight].every(({ complete }) => complete)) destroySoon()
      else lingerAndClose(clock, socket)
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

function lingerAndClose(clock: Clock, socket: Socket, lastText = ''): void {
  if (socket.writableEnded) return
  socket.end(lastText)
  // Node resumes the socket to drain it; keep it paused.
  socket.on('resume', () => socket.pause())
  socket.pause()
  clock.after(lingerMs, () => socket.destroy())
}

function declaresSmallBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= bodyBytesMax
}

export function declaresLargeBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > bodyBytesMax
}

// With two Host headers, a proxy in front of us may have used the other one.
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count === 1 || (count === 0 && httpVersion === '1.0')
}

// A request that is not valid HTTP never reaches a handler; it still gets a response in our format.
function refuseMalformed(clock: Clock, site: SiteHeaders, error: ParseError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = refusalResponse(site, refusalOf(error))
  const lines = Object.entries({ ...site.always, ...headers }).map(([name, value]) => `${name}: ${value}`)
  lingerAndClose(clock, socket, [`HTTP/1.1 ${status} Refused`, ...lines, '', body].join('\r\n'))
}

function refuseHost(site: SiteHeaders, response: ServerResponse): void {
  const refusal = new Refusal('malformedRequest', { fault: requestFaults.notOneHost })
  const { status, headers, body } = refusalResponse(site, refusal)
  response.writeHead(status, headers).end(body)
}

function refusalResponse({ errorLink }: SiteHeaders, refusal: Refusal) {
  const { status, code } = refusals[refusal.refusal]
  const body = JSON.stringify({ status: false, error: refusalSentence(refusal, 'en'), code })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': randomUUID(),
    Link: errorLink(code),
    Connection: 'close',
  }
  return { status, headers, body }
}

function refusalOf({ code, rawPacket }: ParseError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headersTooLarge')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('requestTimeout')
  const [line = ''] = rawPacket?.toString('latin1', 0, headerBytesMax).split('\r\n', 1) ?? []
  const hasSpace = /^[A-Z]+ \/\S* .* HTTP\/1\.[01]$/.test(line)
  return new Refusal('malformedRequest', { fault: hasSpace ? requestFaults.spaceInUrl : requestFaults.notHttp })
}
