// A line that can be cut: a proxy for one port of this machine.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { atEnd } from './at-end.ts'

export type CutLine = {
  readonly port: number
  // Ends what goes through it now; whoever connects anew gets through.
  readonly cut: () => void
}

export async function openCutLine(target: number): Promise<CutLine> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  atEnd(async () => {
    const closed = once(server, 'close')
    server.close()
    cut()
    await closed
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return { port: address.port, cut }
}
