// The sockets of the API: where it listens, and how it drains.

import { once } from 'node:events'
import type { Clock } from '../clock.ts'
import type { App } from './app.ts'
import { closeServer } from './close-server.ts'

type Addresses = {
  readonly httpHost: string
  readonly httpPort: number
  // Of the alternative listener, when there is one.
  readonly httpAltPort: number | undefined
}

const drainMs = 30_000
// A client that comes while that many wait to be accepted is dropped by the system, and tries again after one second, then
// after three. The system may allow fewer: net.core.somaxconn.
const backlog = 4_096

export async function listen(
  { fastify, createAlternativeServer }: App,
  { httpHost: host, httpPort, httpAltPort }: Addresses,
  clock: Clock,
): Promise<{ readonly close: () => Promise<void> }> {
  const alternative = httpAltPort === undefined ? undefined : createAlternativeServer()
  if (alternative) await once(alternative.listen({ host, backlog, port: httpAltPort }), 'listening')
  await fastify.listen({ host, backlog, port: httpPort, listenTextResolver: () => '' })
  return {
    // Takes no new connection, lets requests in flight finish for a while, then cuts.
    close: async () => {
      const servers = [fastify.server, ...(alternative ? [alternative] : [])]
      const cut = clock.after(drainMs, () => servers.forEach((server) => server.closeAllConnections()))
      await Promise.all([fastify.close(), alternative && closeServer(alternative)])
      cut.stop()
    },
  }
}
