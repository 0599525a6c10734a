// Stands between a process and the ARI of an Asterisk, and can keep back its responses: requests reach Asterisk, pings are answered, and
// nothing is closed.

import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import { atEnd } from '../at-end.ts'

export type SilentAri = {
  readonly url: string
  // From now on no response passes, and no new connection is opened.
  readonly silence: () => void
  // What is kept back until now is lost.
  readonly answer: () => void
}

export async function createSilentAri(ariPort: number): Promise<SilentAri> {
  let isSilent = false
  const server = createServer((asked, response) => {
    if (!isSilent) relayRequest(ariPort, asked, response)
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (asked, socket, head) => {
    if (isSilent) return
    const far = new WebSocket(`ws://127.0.0.1:${ariPort}${asked.url}`, {
      headers: { authorization: asked.headers.authorization ?? '' },
    })
    far.on('error', () => socket.destroy())
    socket.on('close', () => far.terminate())
    far.on('open', () =>
      sockets.handleUpgrade(asked, socket, head, (near) => {
        near.on('message', (text: Buffer) => far.send(text.toString()))
        far.on('message', (text: Buffer) => {
          if (!isSilent) near.send(text.toString())
        })
        near.on('close', () => far.terminate())
        far.on('close', () => near.terminate())
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const near of sockets.clients) near.terminate()
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    silence: () => {
      isSilent = true
    },
    answer: () => {
      isSilent = false
    },
  }
}

function relayRequest(ariPort: number, { method, url, headers }: IncomingMessage, response: ServerResponse): void {
  const far = request({ host: '127.0.0.1', port: ariPort, method, path: url, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(response)
  })
  far.on('error', () => response.destroy())
  far.end()
}
