// The least a web server in Node can do: send the same body to every request.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveJobs } from './child.ts'

export type ConstantOpening = { readonly body: string }

serveJobs(async ({ body }: ConstantOpening) => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
  const server = createServer((_, response) => response.writeHead(200, headers).end(body))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return async (): Promise<number> => (server.address() as AddressInfo).port
})
