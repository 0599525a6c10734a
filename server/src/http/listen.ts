// Opens listening sockets, and closes them without losing a request: a load balancer has drainSeconds to notice that /readyz
// reports 503, then requests in flight have finishMs.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type Clock, createClock } from '../process/clock.ts'
import { UsageError } from '../process/errors.ts'
import type { Events } from '../process/metrics/events.ts'
import type { App } from './app.ts'

type Addresses = {
  readonly httpHost: string
  readonly httpPort: number
  // Of the alternative listener, if there is one.
  readonly httpAltPort: number | undefined
  // Other processes of this machine listen on the same ports; the kernel spreads connections over them.
  readonly httpShared: 'no' | 'yes'
  readonly drainSeconds: number
}

const finishMs = 30_000

// If this many connections wait to be accepted, the kernel drops new ones and clients retry after one second, then three.
// The kernel may allow fewer: net.core.somaxconn.
const backlog = 4_096

// A server that is not the API's, on the API's port, in a process without the API.
export async function listenAlone(
  server: Server,
  { httpHost: host, httpPort: port, httpShared, drainSeconds }: Addresses,
  clock: Clock,
): Promise<{ readonly close: () => Promise<void> }> {
  const reusePort = httpShared === 'yes'
  await nameTakenPort('RINGPROOF_HTTP_PORT', once(server.listen({ host, backlog, reusePort, port }), 'listening'))
  return {
    close: async () => {
      await drain(drainSeconds)
      const cut = clock.after(finishMs, () => server.closeAllConnections())
      await closeServer(server)
      cut.stop()
    },
  }
}

export async function listen(
  { fastify, createAlternativeServer }: App,
  { httpHost: host, httpPort, httpAltPort, httpShared, drainSeconds }: Addresses,
  clock: Clock,
): Promise<{ readonly close: () => Promise<void> }> {
  const address = { host, backlog, reusePort: httpShared === 'yes' }
  const alternative = httpAltPort === undefined ? undefined : createAlternativeServer()
  try {
    if (alternative) {
      const listening = once(alternative.listen({ ...address, port: httpAltPort }), 'listening')
      await nameTakenPort('RINGPROOF_HTTP_ALT_PORT', listening)
    }
    const listening = fastify.listen({ ...address, port: httpPort, listenTextResolver: () => '' })
    await nameTakenPort('RINGPROOF_HTTP_PORT', listening)
  } catch (error) {
    if (alternative?.listening) await closeServer(alternative)
    await fastify.close()
    throw error
  }
  return {
    close: async () => {
      await drain(drainSeconds)
      const servers = [fastify.server, ...(alternative ? [alternative] : [])]
      const cut = clock.after(finishMs, () => servers.forEach((server) => server.closeAllConnections()))
      await Promise.all([fastify.close(), alternative && closeServer(alternative)])
      cut.stop()
    },
  }
}

// In real time: a load balancer does not follow the time scale.
function drain(seconds: number): Promise<void> {
  return seconds === 0 ? Promise.resolve() : createClock(1).sleep(seconds * 1_000, new AbortController().signal)
}

// Stops accepting connections and resolves when the last response has been sent.
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  await closed
}

// Ends all connections at once, without waiting for responses.
export async function cutServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

// If the port is taken, names it and the setting that chose it.
export async function nameTakenPort(setting: string, listening: Promise<unknown>): Promise<void> {
  try {
    await listening
  } catch (error) {
    if (!isTaken(error)) throw error
    const where = `Port ${error.port} of ${error.address}`
    throw new UsageError(`${where} is in use by another program. Stop it, or set ${setting} to another port.`)
  }
}

function isTaken(error: unknown): error is { readonly port: number; readonly address: string } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error
}

// Prometheus metrics, on a separate port that is not exposed to the outside.

export function createMetricsServer(events: Events): Server {
  return createServer((request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    events.exposition().then(
      (text) => response.writeHead(200, { 'content-type': events.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}
