// The publisher of the registry, on loopback: files with validators, and whatever a test makes it do instead.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { atEnd } from '../at-end.ts'
import { madeRow, reed, registryBytes } from './registry-files.ts'

export type RegistryServer = {
  readonly url: string
  readonly files: Map<string, Uint8Array>
  // Instead of the file of this name.
  readonly instead: Map<string, (request: IncomingMessage, response: ServerResponse) => void>
  // `200 DEF-9xx.csv` for each response. A test may empty it.
  readonly served: string[]
}

export async function startRegistryServer(tls?: {
  readonly key: Buffer
  readonly cert: Buffer
}): Promise<RegistryServer> {
  const files = new Map<string, Uint8Array>(Object.entries(fourFiles()))
  const instead: RegistryServer['instead'] = new Map()
  const served: string[] = []
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const name = request.url?.split('/').at(-1) ?? ''
    response.on('finish', () => served.push(`${response.statusCode} ${name}`))
    const other = instead.get(name)
    const file = files.get(name)
    if (other) other(request, response)
    else if (file === undefined) response.writeHead(404).end()
    else sendFile(request, response, file)
  }
  const server = (tls ? createTlsServer(tls, respond) : createServer(respond)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}/downloads`,
    files,
    instead,
    served,
  }
}

// Of every kind, with fictitious holders; 907 is assigned to no one in Russia.
export function fourFiles(mobileRows = 100): Record<string, Buffer> {
  const rows = Array.from({ length: mobileRows }, (_, at) => {
    const holder = at % 2 === 0 ? {} : { ...reed, territory: 'г. Камышовый|Озёрный край' }
    return madeRow(907, at * 1_000, at * 1_000 + 999, holder)
  })
  return {
    'ABC-3xx.csv': registryBytes([madeRow(399, 0, 99)]),
    'ABC-4xx.csv': registryBytes([madeRow(499, 0, 99, reed)]),
    'ABC-8xx.csv': registryBytes([madeRow(899, 0, 99)]),
    'DEF-9xx.csv': registryBytes(rows),
  }
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: Uint8Array): void {
  const etag = `"${createHash('sha256').update(file).digest('hex').slice(0, 16)}"`
  const isKnown = request.headers['if-none-match'] === etag
  response.writeHead(isKnown ? 304 : 200, { etag, 'content-type': 'text/csv' }).end(isKnown ? undefined : file)
}
