// Somebody in between who strips TLS: greets in clear as the real server would, and keeps all that it is sent.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { atEnd } from '../at-end.ts'

export type PlainListener = {
  readonly port: number
  readonly received: () => string
  // Resolves when a client has come and gone.
  readonly left: Promise<void>
}

// Says the greeting at once, and the reply to whatever comes first.
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
