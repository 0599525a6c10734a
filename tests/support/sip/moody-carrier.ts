// A carrier that works until it is given a mood in which it fails: what it replies to OPTIONS, REGISTER and INVITE, or nothing. Over
// TCP and TLS it can also close its port, or come back with another certificate.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { atEnd } from '../at-end.ts'
import type { Certificate } from '../network/certificates.ts'

// Statuses; undefined is no reply.
export type Mood = {
  readonly options: string | undefined
  readonly register: (hasPassword: boolean) => string
  readonly invite: string | undefined
}

export type MoodyCarrier = {
  readonly address: string
  readonly setMood: (mood: Partial<Mood>) => void
  // Of TCP and TLS.
  readonly closePort: () => Promise<void>
  readonly openPort: (certificate?: Certificate) => Promise<void>
}

const goodMood: Mood = {
  options: '200 OK',
  register: (hasPassword) => (hasPassword ? '200 OK' : '401 Unauthorized'),
  invite: '180 Ringing',
}

type Responder = (request: string) => readonly string[]

export async function createMoodyCarrier(
  transport: 'udp' | 'tcp' | 'tls',
  certificate?: Certificate,
): Promise<MoodyCarrier> {
  let mood = goodMood
  const respond: Responder = (request) => responsesTo(request, mood)
  const carrier = transport === 'udp' ? await overUdp(respond) : await overTcp(respond, certificate)
  return { ...carrier, setMood: (changes) => void (mood = { ...goodMood, ...changes }) }
}

async function overUdp(respond: Responder) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(async () => void socket.close())
  socket.on('message', (message, { port, address }) => {
    for (const response of respond(message.toString('latin1'))) socket.send(response, port, address)
  })
  const unsupported = async () => {
    throw new Error('UDP has no connections')
  }
  return { address: `127.0.0.1:${socket.address().port}`, closePort: unsupported, openPort: unsupported }
}

async function overTcp(respond: Responder, first: Certificate | undefined) {
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('latin1')
      for (let bytes = wholeRequest(received); bytes > 0; bytes = wholeRequest(received)) {
        for (const response of respond(received.slice(0, bytes))) socket.write(response)
        received = received.slice(bytes)
      }
    })
  }
  const open = async (port: number, certificate: Certificate | undefined) => {
    const keys = certificate && { key: readFileSync(certificate.keyFile), cert: readFileSync(certificate.certFile) }
    const server = keys ? createTlsServer(keys, accept) : createServer(accept)
    server.on('tlsClientError', () => undefined)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let server = await open(0, first)
  const listening = server.address()
  const port = typeof listening === 'object' && listening !== null ? listening.port : 0
  const closePort = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  atEnd(async () => {
    if (server.listening) await closePort()
  })
  const openPort = async (certificate?: Certificate) => {
    server = await open(port, certificate)
  }
  return { address: `127.0.0.1:${port}`, closePort, openPort }
}

// The length of the first request, with its body; 0 while a part of it is on its way. TCP splits messages where it likes.
function wholeRequest(received: string): number {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return 0
  const [, length = '0'] = /^Content-Length: *(\d+)/im.exec(received.slice(0, end)) ?? []
  const bytes = end + 4 + Number(length)
  return received.length < bytes ? 0 : bytes
}

function responsesTo(request: string, mood: Mood): readonly string[] {
  const [method = ''] = request.split(' ', 1)
  const reply = (status: string | undefined, ...more: string[]) =>
    status === undefined ? [] : [responseTo(request, status, ...more)]
  if (method === 'OPTIONS') return reply(mood.options)
  if (method === 'REGISTER') return registered(request, mood)
  if (method === 'INVITE') return reply(mood.invite, 'Contact: <sip:carrier@127.0.0.1>')
  if (method !== 'CANCEL') return []
  const invite = request.replace(/^CSeq: (\d+) CANCEL/m, 'CSeq: $1 INVITE')
  return [...reply('200 OK'), responseTo(invite, '487 Request Terminated')]
}

// Short, so that we come again soon.
const expiresSeconds = 12

function registered(request: string, mood: Mood): readonly string[] {
  const status = mood.register(/^Authorization:/im.test(request))
  const [contact = ''] = /^Contact: .*$/im.exec(request) ?? []
  const challenge = status.startsWith('401') ? ['WWW-Authenticate: Digest realm="carrier", nonce="once"'] : []
  const accepted = status.startsWith('200') ? [contact, `Expires: ${expiresSeconds}`] : []
  return [responseTo(request, status, ...challenge, ...accepted)]
}

function responseTo(request: string, status: string, ...more: readonly string[]): string {
  const kept = request.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
  const headers = kept.map((line) => (/^To:/i.test(line) && !line.includes(';tag=') ? `${line};tag=carrier` : line))
  return [`SIP/2.0 ${status}`, ...headers, ...more, 'Content-Length: 0', '', ''].join('\r\n')
}
