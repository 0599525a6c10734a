// A network that fails at the worst moment: the request arrived and was answered, and the response is lost.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { atEnd } from '../at-end.ts'

export type LostResponse = {
  readonly base: string
  // This many of the next responses are lost.
  cut(count: number): void
  // How many were lost so far.
  readonly lost: () => number
}

export async function createLostResponse(upstreamBase: string): Promise<LostResponse> {
  const { hostname, port } = new URL(upstreamBase)
  const open = new Set<Socket>()
  let toCut = 0
  let lost = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => open.delete(socket))
    }
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.pipe(upstream)
    upstream.on('data', (chunk) => {
      if (toCut === 0) {
        client.write(chunk)
        return
      }
      toCut -= 1
      lost += 1
      client.resetAndDestroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return {
    base: `http://127.0.0.1:${address.port}`,
    cut: (count) => {
      toCut = count
    },
    lost: () => lost,
  }
}
