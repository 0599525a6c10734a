// A toy Asterisk that speaks ARI as far as a switch asks at the beginning: for what the real one cannot be brought to do,
// to be old, or slow on demand.

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'

export type ToyAri = {
  readonly url: string
  // How long it takes to dial.
  slowMs: number
  readonly close: () => Promise<void>
}

type Asked = { readonly request_id: string; readonly method: string; readonly uri: string }

export async function createToyAri(version: string): Promise<ToyAri> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const toy = { url: `http://127.0.0.1:${port}`, slowMs: 0, close: () => closeAll(server) }
  server.on('connection', (socket) => {
    socket.on('message', (text: Buffer) => {
      response(socket, JSON.parse(text.toString()) as Asked, version, toy).catch(() => undefined)
    })
  })
  return toy
}

async function response(socket: WebSocket, asked: Asked, version: string, toy: { slowMs: number }): Promise<void> {
  const { request_id, method, uri } = asked
  if (method === 'POST') await sleep(toy.slowMs)
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
