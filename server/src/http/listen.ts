// Opens listening sockets, and closes them without losing a request: a load balancer has drainSeconds to notice that /readyz
// reports 503, then requests in flight have finishMs.

import { once } from 'node:events'
import type { Server } from 'node:http'
import { type Clock, createClock } from '../process/clock.ts'
import type { App } from './app.ts'
import { closeServer } from './close-server.ts'
import { nameTakenPort } from './taken-port.ts'

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
