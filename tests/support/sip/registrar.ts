// A carrier that wants a password: it challenges a registration (digest, MD5), accepts the right answer and rejects a wrong one with
// 403. It replies to OPTIONS, and writes into the Via where a request came from (RFC 3581).

import { createHash } from 'node:crypto'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { atEnd } from '../at-end.ts'

const realm = 'carrier'

export type Registrar = {
  readonly address: string
  // Every request so far.
  readonly received: () => readonly string[]
}

export async function createRegistrar(passwords: ReadonlyMap<string, string>): Promise<Registrar> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(async () => {
    socket.close()
  })
  const received: string[] = []
  socket.on('message', (message, from) => {
    const text = message.toString('latin1')
    received.push(text)
    const [line = ''] = text.split('\r\n')
    if (line.startsWith('OPTIONS ')) socket.send(response('200 OK', text, from), from.port, from.address)
    if (line.startsWith('REGISTER ')) socket.send(registered(passwords, text, from), from.port, from.address)
  })
  return { address: `127.0.0.1:${socket.address().port}`, received: () => received }
}

function registered(passwords: ReadonlyMap<string, string>, text: string, from: RemoteInfo): string {
  const [, credentials] = /^Authorization: Digest (.*)$/im.exec(text) ?? []
  if (credentials === undefined) {
    const nonce = createHash('md5').update(text).digest('hex')
    return response('401 Unauthorized', text, from, `WWW-Authenticate: Digest realm="${realm}", nonce="${nonce}"`)
  }
  const valueOf = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(credentials)?.[1] ?? ''
  const hash = (...parts: string[]) => createHash('md5').update(parts.join(':')).digest('hex')
  const user = valueOf('username')
  const secret = hash(user, realm, passwords.get(user) ?? '')
  const isRight = valueOf('response') === hash(secret, valueOf('nonce'), hash('REGISTER', valueOf('uri')))
  const [contact = ''] = /^Contact: .*$/im.exec(text) ?? []
  return isRight ? response('200 OK', text, from, contact, 'Expires: 300') : response('403 Forbidden', text, from)
}

function response(status: string, request: string, from: RemoteInfo, ...more: string[]): string {
  const kept = request.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
  const headers = kept.map((line) => {
    if (/^To:/i.test(line) && !line.includes(';tag=')) return `${line};tag=carrier`
    return /^Via:/i.test(line) ? line.replace(/;rport\b(?!=)/, `;received=${from.address};rport=${from.port}`) : line
  })
  return [`SIP/2.0 ${status}`, ...headers, ...more, 'Content-Length: 0', '', ''].join('\r\n')
}
