// HTTP as raw bytes on a socket, for requests that no well-behaved client sends.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'

export type RawResponse = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export type RawConnection = {
  readonly socket: Socket
  // Everything received, one character per byte.
  readonly received: () => string
  // The first complete response; rejects when the connection ends without one.
  readonly answered: Promise<RawResponse>
  // Resolves when the other side has half-closed, if it does.
  readonly ended: Promise<void>
  // Resolves when the connection is closed, with the error if any; a reset counts as closed.
  readonly closed: Promise<Error | undefined>
}

// Our side closes when the other side does, unless the client is a stubborn one.
export function connectRaw(
  base: string,
  { localAddress, stubborn = false }: { readonly localAddress?: string; readonly stubborn?: boolean } = {},
): RawConnection {
  const { hostname, port } = new URL(base)
  const from = localAddress === undefined ? {} : { localAddress }
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: stubborn, ...from })
  const first = Promise.withResolvers<RawResponse>()
  const end = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<Error | undefined>()
  // Not every client waits for a response.
  first.promise.catch(() => undefined)
  let text = ''
  let broken: Error | undefined
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    const response = wholeResponse(text)
    if (response) first.resolve(response)
  })
  socket.on('end', () => end.resolve())
  socket.on('error', (error) => {
    broken = error
  })
  socket.on('close', () => {
    first.reject(new Error(`the connection ended without a response: ${broken?.message ?? JSON.stringify(text)}`))
    gone.resolve(broken)
  })
  return { socket, received: () => text, answered: first.promise, ended: end.promise, closed: gone.promise }
}

// Sends the bytes and returns the first response with everything received until the other side closed.
export async function sendRaw(base: string, bytes: string): Promise<RawResponse & { readonly received: string }> {
  const connection = connectRaw(base)
  connection.socket.write(bytes, 'latin1')
  const response = await connection.answered
  await connection.closed
  return { ...response, received: connection.received() }
}

// A regular refusal with its declared length, the last and only response on its connection.
export function assertLastRefusal(response: RawResponse & { received: string }, status: number, code: number): void {
  const json = JSON.parse(response.body) as Record<string, unknown>
  assert.deepEqual(Object.keys(json).toSorted(), ['code', 'error', 'status'], response.body)
  assert.deepEqual([response.status, json['status'], json['code']], [status, false, code], response.received)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(response.headers.get('connection'), 'close')
  assert(response.received.endsWith(`\r\n\r\n${response.body}`), response.received)
  assert.equal(response.received.match(/HTTP\/1\.1 \d/g)?.length, 1, response.received)
}

// Undefined while the body is shorter than the declared length.
function wholeResponse(text: string): RawResponse | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const length = Number(headers.get('content-length') ?? 0)
  const body = text.slice(headEnd + 4, headEnd + 4 + length)
  return body.length < length ? undefined : { status: Number(first.split(' ')[1]), headers, body }
}
