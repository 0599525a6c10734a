// A PostgreSQL connection that is cut at the worst moment: the COMMIT was received and executed, and its response is
// lost.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { atEnd } from '../at-end.ts'

export type LostCommit = {
  readonly port: number
  readonly loseNextCommit: () => void
  readonly lost: () => number
}

export async function createLostCommit(target: number): Promise<LostCommit> {
  const sockets = new Set<Socket>()
  let isArmed = false
  let lost = 0
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    let isCommitting = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk) => {
      if (isArmed && chunk.includes('COMMIT')) {
        isArmed = false
        isCommitting = true
      }
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (!isCommitting) {
        near.write(chunk)
        return
      }
      lost += 1
      near.resetAndDestroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return {
    port: address.port,
    loseNextCommit: () => {
      isArmed = true
    },
    lost: () => lost,
  }
}
