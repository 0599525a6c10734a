// Opens the API's listening sockets and drains them on close.

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Clock } from '../clock.ts'
import type { App } from './app.ts'
import { closeServer } from './close-server.ts'
import { nameTakenPort } from './taken-port.ts'

type Addresses = {
  readonly httpHost: string
  readonly httpPort: number
  // Of the alternative listener, if there is one.
  readonly httpAltPort: number | undefined
}

const drainMs = 30_000
// If this many connections wait to be accepted, the kernel drops new ones and clients retry after one second, then three.
// The kernel may allow fewer: net.core.somaxconn.
const backlog = 4_096

// A server that is not the API's, on the API's port, in a process without the API.
export async function listenAlone(
  server: Server,
  { httpHost: host, httpPort: port }: Addresses,
  clock: Clock,
): Promise<{ readonly close: () => Promise<void> }> {
  await nameTakenPort('RINGPROOF_HTTP_PORT', once(server.listen({ host, backlog, port }), 'listening'))
  return {
    close: async () => {
      const cut = clock.after(drainMs, () => server.closeAllConnections())
      await closeServer(server)
      cut.stop()
    },
  }
}

export async function listen(
  { fastify, createAlternativeServer }: App,
  { httpHost: host, httpPort, httpAltPort }: Addresses,
  clock: Clock,
): Promise<{ readonly close: () => Promise<void> }> {
  const alternative = httpAltPort === undefined ? undefined : createAlternativeServer()
  try {
    if (alternative) {
      const listening = once(alternative.listen({ host, backlog, port: httpAltPort }), 'listening')
      await nameTakenPort('RINGPROOF_HTTP_ALT_PORT', listening)
    }
    const listening = fastify.listen({ host, backlog, port: httpPort, listenTextResolver: () => '' })
    await nameTakenPort('RINGPROOF_HTTP_PORT', listening)
  } catch (error) {
    if (alternative?.listening) await closeServer(alternative)
    await fastify.close()
    throw error
  }
  return {
    // Stops accepting connections, gives requests in flight up to drainMs, then closes the rest.
    close: async () => {
      const servers = [fastify.server, ...(alternative ? [alternative] : [])]
      const cut = clock.after(drainMs, () => servers.forEach((server) => server.closeAllConnections()))
      await Promise.all([fastify.close(), alternative && closeServer(alternative)])
      cut.stop()
    },
  }
}
