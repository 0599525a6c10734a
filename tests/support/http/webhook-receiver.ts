// A webhook receiver on loopback. It responds as its test says, and records what it received.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { atEnd } from '../at-end.ts'

export type Received = {
  readonly url: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly atMs: number
}

export type Receiver = {
  readonly url: string
  readonly received: readonly Received[]
  // Resolves when this many were received.
  readonly count: (count: number, timeoutMs?: number) => Promise<void>
  readonly close: () => Promise<void>
}

// Create it outside the tests, or inside one that closes it.
export async function createReceiver(
  respond: (response: ServerResponse, received: Received, nth: number) => void = (response) =>
    response.writeHead(204).end(),
  host = '127.0.0.1',
): Promise<Receiver> {
  const received: Received[] = []
  const listeners = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '', method = '', headers } = request
      const one = { url, method, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() }
      received.push(one)
      respond(response, one, received.filter((other) => other.url === url).length)
      for (const listener of listeners) listener()
    })
  }).listen(0, host)
  await once(server, 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    received,
    count: (count, timeoutMs = 30_000) =>
      new Promise((resolve, reject) => {
        const timeout = setTimeout(
          () => reject(new Error(`only ${received.length} of ${count} webhooks were received`)),
          timeoutMs,
        )
        const listen = () => {
          if (received.length < count) return
          clearTimeout(timeout)
          listeners.delete(listen)
          resolve()
        }
        listeners.add(listen)
        listen()
      }),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export async function createReceiverToTheEnd(...args: Parameters<typeof createReceiver>): Promise<Receiver> {
  const receiver = await createReceiver(...args)
  atEnd(receiver.close)
  return receiver
}

// The parsed body, if it was signed with the secret; throws otherwise.
export function verified(secret: string, { body, headers }: Received): Record<string, unknown> {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>
}
