// Chooses loopback ports for servers that are started a moment later.
//
// Port 0 would give a port from the ephemeral range: while a server is down, any outgoing connection could get its port, and a
// client that keeps retrying could finally connect to itself. This range is below the ephemeral one (32768 on Linux).
//
// A port is not held between the choice and the start, and many processes choose at the same time: so a process claims a port
// with a file that names it, and the claim ends with the process.

import { createSocket } from 'node:dgram'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const portMin = 10_000
const portMax = 19_999
// Processes begin at different places, so that they rarely meet.
const portsEach = 40
// The only port of the range that fetch refuses.
const blockedByFetch = 10_080
const claims = join(tmpdir(), 'ringproof-ports')

let given = 0

export async function freePort(taken: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const port = portMin + ((process.pid * portsEach + given++) % (portMax - portMin + 1))
    if (port !== blockedByFetch && !taken.includes(port) && claim(port) && (await portIsFree(port))) return port
  }
  throw new Error(`no port from ${portMin} to ${portMax} is free on 127.0.0.1`)
}

function claim(port: number): boolean {
  mkdirSync(claims, { recursive: true })
  const file = join(claims, String(port))
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    // The claim of a process that has ended is removed, and the port is left to the next round.
    if (!isAlive(Number(readClaim(file)))) rmSync(file, { force: true })
    return false
  }
}

function readClaim(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

// A claim that is just being written has no process yet.
function isAlive(pid: number): boolean {
  if (pid === 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
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
