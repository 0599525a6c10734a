// A carrier that calls us like a user agent, over UDP with retransmissions, over TCP or over TLS, and sends ACKs only
// for its own calls. Packets can be lost in both directions.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type CarrierCaller = {
  // Every final status; undefined when none came within half a minute.
  readonly call: (call: CarrierCall) => Promise<number | undefined>
  // The tags of our side that it has seen.
  readonly tags: readonly string[]
  readonly close: () => void
}

export type CarrierCall = { readonly id: string; readonly called: string; readonly caller: string }

type Place = { readonly host: string; readonly port: number }
type Way = {
  readonly transport: 'udp' | 'tcp' | 'tls'
  readonly from: Place
  readonly to: Place
  // The fraction of packets that is lost.
  readonly loss?: number
  readonly random?: () => number
}

const t1Ms = 500
const originateTimeoutMs = 32_000

export async function createCarrierCaller({
  transport,
  from,
  to,
  loss = 0,
  random = Math.random,
}: Way): Promise<CarrierCaller> {
  const waiting = new Map<string, { readonly call: CarrierCall; readonly end: (status: number) => void }>()
  const calls = new Map<string, CarrierCall>()
  const tags: string[] = []
  const isLost = () => loss > 0 && random() < loss
  const wire =
    transport === 'udp' ? await createDatagrams(from, to, receive) : await createStream(transport, from, to, receive)
  const send = (text: string) => {
    if (!isLost()) wire.send(text)
  }
  const message = (method: 'INVITE' | 'ACK', { id, called, caller }: CarrierCall, toHeader: string) =>
    [
      `${method} sip:${called}@${to.host}:${to.port} SIP/2.0`,
      `Via: SIP/2.0/${transport.toUpperCase()} ${from.host}:${from.port};branch=z9hG4bK${id}`,
      `From: <sip:${caller}@carrier.example>;tag=f${id}`,
      `To: ${toHeader}`,
      `Call-ID: ${id}`,
      `CSeq: 1 ${method}`,
      'Max-Forwards: 70',
      `Contact: <sip:carrier@${from.host}:${from.port}>`,
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n')
  function receive(text: string): void {
    if (isLost()) return
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0)
    const call = calls.get(/^Call-ID: *(\S+)/im.exec(text)?.[1] ?? '')
    const toHeader = /^To: *(.*)$/im.exec(text)?.[1]?.trim() ?? ''
    // A reply to a call that it never made gets no ACK.
    if (!call || status < 200) return
    tags.push(toHeader.split(';tag=')[1] ?? '')
    send(message('ACK', call, toHeader))
    waiting.get(call.id)?.end(status)
  }
  return {
    tags,
    call: async (call) => {
      const { promise, resolve } = Promise.withResolvers<number | undefined>()
      calls.set(call.id, call)
      waiting.set(call.id, { call, end: resolve })
      const invite = message('INVITE', call, `<sip:${call.called}@${to.host}>`)
      send(invite)
      let waitMs = t1Ms
      const repeat = () => {
        send(invite)
        waitMs *= 2
        timer = setTimeout(repeat, waitMs)
      }
      let timer = transport === 'udp' ? setTimeout(repeat, waitMs) : undefined
      const end = setTimeout(() => resolve(undefined), originateTimeoutMs)
      const status = await promise
      clearTimeout(timer)
      clearTimeout(end)
      waiting.delete(call.id)
      return status
    },
    close: wire.close,
  }
}

type Wire = { readonly send: (text: string) => void; readonly close: () => void }

async function createDatagrams(from: Place, to: Place, receive: (text: string) => void): Promise<Wire> {
  const socket = createSocket('udp4').bind(from.port, from.host)
  await once(socket, 'listening')
  socket.on('message', (data) => receive(data.toString()))
  return { send: (text) => socket.send(text, to.port, to.host), close: () => socket.close() }
}

async function createStream(
  kind: 'tcp' | 'tls',
  from: Place,
  to: Place,
  receive: (text: string) => void,
): Promise<Wire> {
  const place = { host: to.host, port: to.port, localAddress: from.host }
  // Certificates are checked in the tests of outbound calls.
  const socket: Socket = kind === 'tcp' ? connectTcp(place) : connectTls({ ...place, rejectUnauthorized: false })
  await once(socket, kind === 'tcp' ? 'connect' : 'secureConnect')
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (data: Buffer) => {
    text += data.toString()
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const length = Number(/^Content-Length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      receive(text.slice(0, end + 4 + length))
      text = text.slice(end + 4 + length)
    }
  })
  return { send: (message) => socket.write(message), close: () => socket.destroy() }
}
