// A TCP proxy for one local port that can cut or silence its connections.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { atEnd } from '../at-end.ts'

export type BreakableProxy = {
  readonly port: number
  // Cuts the current connections; new ones get through.
  readonly cut: () => void
  // Resolves when this text has passed to a client.
  readonly passed: (text: string) => Promise<void>
  // Cuts instead of passing on what a client sends next after this text has passed to it.
  readonly loseReplyTo: (text: string) => Promise<void>
  // From now on nothing gets through and nothing is closed, not even new connections.
  readonly silence: () => void
  // Resolves when every client has closed its connection.
  readonly abandoned: () => Promise<void>
  // New connections get through; those from before are cut, because bytes of them are lost.
  readonly restore: () => void
}

export async function createBreakableProxy(target: number): Promise<BreakableProxy> {
  const sockets = new Set<Socket>()
  const awaited = new Map<string, () => void>()
  let isSilent = false
  let losesNext: (() => void) | undefined
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
    near.on('data', (chunk) => {
      if (losesNext) losesNext()
      else if (!isSilent) far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      if (isSilent) return
      near.write(chunk)
      for (const [text, resolve] of awaited) if (chunk.includes(text)) resolve()
    })
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
  const restore = () => {
    cut()
    isSilent = false
  }
  const silence = () => {
    isSilent = true
  }
  const passed = async (text: string) => {
    const seen = Promise.withResolvers<void>()
    awaited.set(text, seen.resolve)
    await seen.promise
    awaited.delete(text)
  }
  const loseReplyTo = async (text: string) => {
    await passed(text)
    const lost = Promise.withResolvers<void>()
    losesNext = () => {
      losesNext = undefined
      cut()
      lost.resolve()
    }
    await lost.promise
  }
  const abandoned = async () => {
    await Promise.all([...sockets].map((socket) => once(socket, 'close')))
  }
  return { port: address.port, cut, passed, loseReplyTo, silence, abandoned, restore }
}
