// Sends forged INVITEs to an edge at an even rate, from the address of a carrier: one of every shape that parsers were slow with, in
// turns.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type Flood = {
  readonly port: number
  readonly perSecond: number
  readonly seconds: number
  // Of the datagram.
  readonly bytes: number
  // What is long. A process that gets such a header does not read the call; with such a body it does.
  readonly longPart: 'header' | 'body'
}

const { port, perSecond, seconds, bytes, longPart } = JSON.parse(process.argv[2] ?? '') as Flood
const socket = createSocket({ type: 'udp4', sendBufferSize: 4_000_000 }).bind(0, '127.0.0.1')
await once(socket, 'listening')
const shapes = [',', '\\"', '<a>,', ';tag=a', ' ', 'sip:', '1', '"']
const names = ['P-Asserted-Identity', 'Diversion', 'Privacy']
const startedMs = performance.now()
let sent = 0
while (sent < seconds * perSecond) {
  const due = Math.min(seconds, (performance.now() - startedMs) / 1_000) * perSecond
  for (; sent < due; sent++) socket.send(invite(sent), port, '127.0.0.1', () => undefined)
  await new Promise((resolve) => setTimeout(resolve, 2))
}
process.send?.((performance.now() - startedMs) / 1_000, () => process.exit())

function invite(n: number): Buffer {
  const id = `${process.pid}-${n}`
  const lines = [
    `INVITE sip:+70000010001@127.0.0.1:${port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK${id}`,
    `From: <sip:+79070000001@carrier.example>;tag=${id}`,
    'To: <sip:+70000010001@127.0.0.1>',
    `Call-ID: ${id}`,
    'CSeq: 1 INVITE',
    'Max-Forwards: 70',
  ]
  const unit = shapes[n % shapes.length] ?? ''
  const head = `${lines.join('\r\n')}\r\n`
  const end = '\r\nContent-Length: 0\r\n\r\n'
  const value = unit.repeat((bytes - head.length - end.length - 50) / unit.length)
  const text =
    longPart === 'header'
      ? `${names[n % names.length]}: ${value}${end}`
      : `Content-Length: ${value.length}\r\n\r\n${value}`
  return Buffer.from(`${head}${text}`, 'latin1')
}
