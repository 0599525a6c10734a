// A fake Asterisk that speaks as much ARI as a switch needs to connect and dial: it can be too old, or slow on demand,
// which the real one cannot.

import { once } from 'node:events'
import { type WebSocket, WebSocketServer } from 'ws'

export type FakeAri = {
  readonly url: string
  // From now on no dial is responded to, until they are released together.
  readonly holdDials: () => void
  readonly heldDials: () => number
  readonly releaseDials: () => void
  readonly close: () => Promise<void>
}

type Request = { readonly request_id: string; readonly method: string; readonly uri: string }

export async function createFakeAri(version: string): Promise<FakeAri> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  let isHolding = false
  const held: (() => void)[] = []
  server.on('connection', (socket) => {
    socket.on('message', (text: Buffer) => {
      const request = JSON.parse(text.toString()) as Request
      if (isHolding && request.method === 'POST') held.push(() => respond(socket, request, version))
      else respond(socket, request, version)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    holdDials: () => {
      isHolding = true
    },
    heldDials: () => held.length,
    releaseDials: () => {
      isHolding = false
      for (const release of held.splice(0)) release()
    },
    close: () => closeAll(server),
  }
}

function respond(socket: WebSocket, { request_id, uri }: Request, version: string): void {
  const info = { system: { version }, status: { startup_time: 'once' } }
  const body = uri.startsWith('asterisk/info') ? info : []
  socket.send(
    JSON.stringify({ type: 'RESTResponse', request_id, status_code: 200, message_body: JSON.stringify(body) }),
  )
}

async function closeAll(server: WebSocketServer): Promise<void> {
  for (const client of server.clients) client.terminate()
  await new Promise((resolve) => server.close(resolve))
}
