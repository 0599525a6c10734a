// One address for several processes: connections go to them round-robin, at the TCP level.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { atEnd } from '../at-end.ts'
import { type Installation, serve } from '../process/server.ts'

export async function serveBehindOneAddress(installation: Installation, count: number): Promise<string> {
  const settings = { RINGPROOF_REQUESTS_PER_SECOND: '1000' }
  const processes = await Promise.all(Array.from({ length: count }, () => serve(installation, settings)))
  return createBalancer(processes.map(({ base }) => base))
}

async function createBalancer(bases: readonly string[]): Promise<string> {
  let turn = 0
  const server = createServer((client) => {
    const { hostname, port } = new URL(bases[turn++ % bases.length] ?? '')
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return `http://127.0.0.1:${address.port}`
}
