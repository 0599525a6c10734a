// Asks a carrier where it sees us: it writes the source address of a request into the Via of its response (RFC 3581). NAT
// translates our packets like those of Asterisk, because both come from this machine.

import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import type { SeenAddress } from '../../domain/installation/telephony-check.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import type { Clock } from '../../process/clock.ts'

const retransmitMs = 500
const giveUpMs = 2_000

// Undefined if the carrier does not respond, or does not say it.
export async function seenAddress(
  { name, address }: Trunk,
  clock: Clock,
  randomBytes: (bytes: number) => Uint8Array,
): Promise<SeenAddress | undefined> {
  const [, host = '', port = '5060'] = /^(.*?)(?::(\d+))?$/.exec(address) ?? []
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const socket = createSocket(bare.includes(':') ? 'udp6' : 'udp4')
  const over = new AbortController()
  const resend: { stop?: () => void } = {}
  try {
    const connected = once(socket, 'connect')
    socket.connect(Number(port), bare)
    await connected
    const local = socket.address()
    const id = Buffer.from(randomBytes(8)).toString('hex')
    const request = optionsRequest(address, local.address, local.port, id)
    // A closed port is reported as an error of the next packet.
    socket.on('error', () => over.abort())
    const received = responseTo(socket, id)
    socket.send(request)
    resend.stop = clock.every(retransmitMs, () => socket.send(request, () => undefined)).stop
    const response = await Promise.race([received, clock.sleep(giveUpMs, over.signal)])
    const seen = response && /^(?:via|v)[ \t]*:.*?;received=\[?([0-9a-f.:]+)/im.exec(response.text)?.[1]
    return seen && response
      ? { trunk: name, carrier: response.from.address, received: seen, local: local.address }
      : undefined
  } catch {
    // An address that does not resolve shows as the state of the trunk.
    return undefined
  } finally {
    resend.stop?.()
    over.abort()
    socket.close()
  }
}

type Response = { readonly text: string; readonly from: RemoteInfo }

function responseTo(socket: ReturnType<typeof createSocket>, id: string): Promise<Response> {
  return new Promise((resolve) => {
    socket.on('message', (message, from) => {
      const text = message.toString('latin1')
      if (text.startsWith('SIP/2.0 ') && text.includes(id)) resolve({ text, from })
    })
  })
}

function optionsRequest(address: string, local: string, port: number, id: string): string {
  const host = local.includes(':') ? `[${local}]` : local
  return [
    `OPTIONS sip:${address} SIP/2.0`,
    `Via: SIP/2.0/UDP ${host}:${port};rport;branch=z9hG4bK${id}`,
    'Max-Forwards: 70',
    `From: <sip:ringproof@${host}>;tag=${id}`,
    `To: <sip:${address}>`,
    `Call-ID: ${id}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:ringproof@${host}:${port}>`,
    'User-Agent: Ringproof',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
}
