// Clients that paste a name into a URL send it in raw UTF-8. Node's parser rejects such a request line, so it is
// percent-encoded here and parsed once more, as a separate connection that closes after the response.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'

export type ParseError = Error & { readonly code?: string; readonly rawPacket?: Buffer }

// False: the request cannot be helped. Only a request whose head came in one packet is parsed again.
export function parseAgain(server: Server, error: ParseError, socket: Socket): boolean {
  const head = error.code === 'HPE_INVALID_URL' ? (error.rawPacket?.toString('latin1') ?? '') : ''
  const [, line = '', rest = ''] = /^(GET [^\r\n]*)(\r\n[^]*)$/.exec(head) ?? []
  if (!rawBytes.test(line) || !rest.endsWith('\r\n\r\n')) return false
  const encoded = line.replaceAll(new RegExp(rawBytes, 'g'), percentEncoded)
  const [ours, parsed] = duplexPair()
  // The edge reads the address of the client from the socket.
  Object.defineProperty(parsed, 'remoteAddress', { value: socket.remoteAddress })
  ours.pipe(socket)
  socket.once('close', () => ours.destroy())
  server.emit('connection', parsed)
  ours.write(`${encoded}\r\nConnection: close${rest}`, 'latin1')
  return true
}

const rawBytes = /[\x80-\xff]/

function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`
}
