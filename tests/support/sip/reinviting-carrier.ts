// A carrier that answers a call, invites again within it, and hangs up: each sent to our Contact.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { atEnd } from '../at-end.ts'
import { offer } from './subscriber.ts'

export type ReinvitingCarrier = {
  readonly address: string
  // Our final replies to its INVITE and its BYE.
  readonly replies: () => readonly string[]
  // The addresses from which anything came.
  readonly senders: () => ReadonlySet<string>
}

export async function createReinvitingCarrier(): Promise<ReinvitingCarrier> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(async () => void socket.close())
  const here = `127.0.0.1:${socket.address().port}`
  const senders = new Set<string>()
  const replies: string[] = []
  let invite = ''
  const request = (method: string, sequence: number, body = '') => {
    const [, uri = '', port] = /^Contact: <(sip:[^@]*@127\.0\.0\.1:(\d+)[^>]*)>/im.exec(invite) ?? []
    const dialog = ['From', 'To', 'Call-ID'].map((name) => headerOf(invite, name)) as [string, string, string]
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP ${here};branch=z9hG4bK${method}${sequence}`,
      `From: ${dialog[1]};tag=carrier`,
      `To: ${dialog[0]}`,
      `Call-ID: ${dialog[2]}`,
      `CSeq: ${sequence} ${method}`,
      `Contact: <sip:${here}>`,
      'Max-Forwards: 70',
    ]
    socket.send(withBody(lines, body), Number(port), '127.0.0.1')
  }
  const requested = {
    OPTIONS: (text: string) => answer(text, here),
    INVITE: (text: string) => {
      invite = text
      return answer(text, here, offer)
    },
    ACK: () => request('INVITE', 1, offer),
  }
  socket.on('message', (packet, from) => {
    const text = packet.toString('latin1')
    senders.add(`${from.address}:${from.port}`)
    const [first = ''] = text.split(' ', 1)
    if (first in requested) {
      const reply = requested[first as keyof typeof requested](text)
      if (reply !== undefined) socket.send(reply, from.port, from.address)
    }
    if (!/^SIP\/2\.0 [2-6]/.test(text) || replies.includes(text)) return
    replies.push(text)
    if (!/^CSeq: 1 INVITE/im.test(text)) return
    request('ACK', 1)
    request('BYE', 2)
  })
  return { address: here, replies: () => replies, senders: () => senders }
}

function answer(request: string, here: string, body = ''): string {
  const vias = request.split('\r\n').filter((line) => /^via:/i.test(line))
  const kept = ['From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headerOf(request, name)}`)
  const to = `To: ${headerOf(request, 'To')};tag=carrier`
  return withBody(['SIP/2.0 200 OK', ...vias, ...kept, to, `Contact: <sip:${here}>`], body)
}

function headerOf(text: string, name: string): string {
  return new RegExp(`^${name}: *(.*?)\\r$`, 'im').exec(text)?.[1] ?? ''
}

function withBody(lines: readonly string[], body: string): string {
  const type = body === '' ? [] : ['Content-Type: application/sdp']
  return [...lines, ...type, `Content-Length: ${body.length}`, '', body].join('\r\n')
}
