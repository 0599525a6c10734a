// An HTTP server that answers what it was told, in that order, and remembers what it was asked.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { atEnd } from './at-end.ts'

export type ScriptedAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | 'reset'
  | 'silence'

export type ScriptedServer = {
  readonly base: string
  // Forgets what was asked, and answers these from now on, the last of them for ever.
  answer(...answers: readonly ScriptedAnswer[]): void
  readonly asked: readonly {
    readonly path: string
    readonly headers: NodeJS.Dict<string | string[]>
    readonly body: string
  }[]
}

export async function openScriptedServer(): Promise<ScriptedServer> {
  const asked: { path: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  let script: readonly ScriptedAnswer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = script[Math.min(asked.length, script.length - 1)] ?? 'reset'
      asked.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
      if (answer === 'reset') request.socket.resetAndDestroy()
      else if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end(answer.body)
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
    answer: (...answers) => {
      asked.length = 0
      script = answers
    },
    asked,
  }
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}
