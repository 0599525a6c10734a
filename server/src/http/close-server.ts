import { once } from 'node:events'
import type { Server } from 'node:http'

// Stops accepting connections and resolves when the last response has been sent.
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  await closed
}

// Ends all connections at once, without waiting for responses.
export async function cutServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
