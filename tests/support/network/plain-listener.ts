// A man in the middle who strips TLS: greets in clear text like the real server, and records everything it receives.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { atEnd } from '../at-end.ts'

export type PlainListener = {
  readonly port: number
  readonly received: () => string
  // Resolves when a client has connected and left.
  readonly left: Promise<void>
}

// Sends the greeting at once, and the reply after the first data.
export async function plainListener(greeting: string, reply: string): Promise<PlainListener> {
  let received = ''
  const left = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    if (greeting !== '') socket.write(greeting)
    socket.once('data', () => reply !== '' && socket.write(reply))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => left.resolve())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(async () => {
    server.close()
  })
  return { port: (server.address() as { port: number }).port, received: () => received, left: left.promise }
}
