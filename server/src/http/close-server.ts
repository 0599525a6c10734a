import { once } from 'node:events'
import type { Server } from 'node:http'

// Takes no new connection, and resolves when the last response has left.
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  await closed
}

// Ends every connection at once: no response here is worth waiting for.
export async function cutServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
