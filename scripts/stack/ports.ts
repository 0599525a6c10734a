// Chooses loopback ports for servers that are started a moment later.
//
// Port 0 would give a port from the ephemeral range: while a server is down, any outgoing connection could get its port, and a
// client that keeps retrying could finally connect to itself. This range is below the ephemeral one (32768 on Linux).
//
// A port is not held between the choice and the start, and many processes choose at the same time: so each process starts at a
// different offset, as many ports apart as one process needs.

import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

const portMin = 10_000
const portMax = 19_999
const portsEach = 40
// The only port of the range that fetch refuses.
const blockedByFetch = 10_080

let given = 0

export async function freePort(taken: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const port = portMin + ((process.pid * portsEach + given++) % (portMax - portMin + 1))
    if (port !== blockedByFetch && !taken.includes(port) && (await portIsFree(port))) return port
  }
  throw new Error(`no port from ${portMin} to ${portMax} is free on 127.0.0.1`)
}

// TCP and UDP, because SIP servers use both.
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
