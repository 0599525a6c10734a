// An HTTP server that sends scripted responses in order, and records the requests.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { atEnd } from '../at-end.ts'

export type ScriptedResponse =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | 'reset'
  | 'silence'

export type ScriptedServer = {
  readonly base: string
  // Clears the recorded requests; from now on these responses are sent, the last one repeatedly.
  script(...responses: readonly ScriptedResponse[]): void
  readonly asked: readonly {
    readonly path: string
    readonly headers: NodeJS.Dict<string | string[]>
    readonly body: string
  }[]
}

export async function createScriptedServer(): Promise<ScriptedServer> {
  const asked: { path: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  let script: readonly ScriptedResponse[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const scripted = script[Math.min(asked.length, script.length - 1)] ?? 'reset'
      asked.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
      if (scripted === 'reset') request.socket.resetAndDestroy()
      else if (scripted !== 'silence') response.writeHead(scripted.status, scripted.headers).end(scripted.body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return {
    base: `http://127.0.0.1:${address.port}`,
    script: (...responses) => {
      asked.length = 0
      script = responses
    },
    asked,
  }
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): ScriptedResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}
