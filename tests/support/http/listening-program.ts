// A developer's machine: a program that takes webhooks and verifies them with the SDK, and `npx @ringproof/client listen` beside it.

import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { webhooks } from '../../../sdk/src/client.ts'

export type Got = { readonly callId: string; readonly isTamperedRejected: boolean }

export async function startProgram(port: number, secret: string, got: Got[]): Promise<Server> {
  const receive = async (incoming: IncomingMessage, response: ServerResponse) => {
    const rawBody = await text(incoming)
    try {
      const call = await webhooks.verify(rawBody, incoming.headers, secret)
      const isTamperedRejected = await webhooks.verify(`${rawBody} `, incoming.headers, secret).then(
        () => false,
        () => true,
      )
      got.push({ callId: call.callId, isTamperedRejected })
      response.writeHead(204).end()
    } catch {
      response.writeHead(400).end()
    }
  }
  const server = createServer((incoming, response) => void receive(incoming, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

export function startListener(
  base: string,
  { serviceId, key }: { readonly serviceId: number; readonly key: string },
  ...more: string[]
) {
  const cli = join(import.meta.dirname, '../../../sdk/src/cli.ts')
  const args = ['listen', '--url', base, '--service', String(serviceId), ...more]
  const env = { ...process.env, RINGPROOF_KEY: key, NODE_NO_WARNINGS: '1' }
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => void (said.out += String(data)))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { said, ended, stop: () => child.kill('SIGTERM') }
}
