// Ports of loopback for servers that are started a moment later.
//
// The system's own choice (port 0) would come from the range of outgoing connections: while a server is down, any client
// could then be given its port, and a client that tries again and again to reach it would at last be connected to itself.
// This range lies below that one (Linux starts it at 32768).

//
// Nobody holds a port between the choice and the start, and many processes choose at a time: so each begins at a place of its
// own, as far from its neighbours' as one of them needs, and goes on from there.

import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

const portMin = 10_000
const portMax = 19_999
const portsEach = 40
// The one port of the range that fetch refuses to connect to.
const blockedByFetch = 10_080

let given = 0

export async function freePort(taken: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const port = portMin + ((process.pid * portsEach + given++) % (portMax - portMin + 1))
    if (port !== blockedByFetch && !taken.includes(port) && (await portIsFree(port))) return port
  }
  throw new Error(`no port from ${portMin} to ${portMax} is free on 127.0.0.1`)
}

// Over TCP and UDP: SIP servers take both.
export async function portIsFree(port: number): Promise<boolean> {
  return (await isFreeOverTcp(port)) && (await isFreeOverUdp(port))
}

async function isFreeOverTcp(port: number): Promise<boolean> {
  const server = createServer()
  const { promise, resolve: settle } = Promise.withResolvers<boolean>()
  server.once('error', () => settle(false))
  server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => settle(true)))
  return await promise
}

async function isFreeOverUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  const { promise, resolve: settle } = Promise.withResolvers<boolean>()
  socket.once('error', () => settle(false))
  socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => socket.close(() => settle(true)))
  return await promise
}
