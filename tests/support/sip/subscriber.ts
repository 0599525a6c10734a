// Somebody who calls one of our numbers, as their carrier presents it: an INVITE over UDP and its responses.

import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { on, once } from 'node:events'

export type SubscriberCall = {
  readonly called: string
  // Whole headers, as a carrier writes them.
  readonly from: string
  readonly headers?: readonly string[]
  // How long the final response is waited for.
  readonly timeoutMs?: number
  // The address that is called, and the one that calls; both are loopback by default.
  readonly host?: string
  readonly own?: string
}

// Every status received, up to the final one.
export async function callIn(
  port: number,
  { called, from, headers = [], timeoutMs = 20_000, host = '127.0.0.1', own = '127.0.0.1' }: SubscriberCall,
  onStatus: (status: number) => void = () => undefined,
): Promise<readonly number[]> {
  const socket = createSocket('udp4').bind(0, own)
  try {
    await once(socket, 'listening')
    const here = `${own}:${socket.address().port}`
    const name = randomBytes(8).toString('hex')
    const to = `<sip:${called}@${host}:${port}>`
    const answers = on(socket, 'message', { signal: AbortSignal.timeout(timeoutMs) })
    const dialog = [`Via: SIP/2.0/UDP ${here};branch=z9hG4bK${name}`, `From: ${from};tag=${name}`, `Call-ID: ${name}`]
    const send = (lines: readonly string[], body = '') =>
      new Promise<void>((resolve, reject) => {
        const text = [...lines, `Content-Length: ${body.length}`, '', body].join('\r\n')
        socket.send(text, port, host, (error) => (error ? reject(error) : resolve()))
      })
    const kind = [
      'CSeq: 1 INVITE',
      'Max-Forwards: 70',
      `Contact: <sip:carrier@${here}>`,
      'Content-Type: application/sdp',
    ]
    await send([`INVITE sip:${called}@${host}:${port} SIP/2.0`, ...dialog, `To: ${to}`, ...kind, ...headers], offer)
    const statuses: number[] = []
    for await (const [response] of answers as AsyncIterable<[Buffer]>) {
      // The previous owner of this port may still get responses.
      if (!response.includes(name)) continue
      const status = Number(/^SIP\/2\.0 (\d{3})/.exec(response.toString())?.[1])
      statuses.push(status)
      onStatus(status)
      if (status < 200) continue
      const answeredTo = /^To: (.*)$/im.exec(response.toString())?.[1]?.trim() ?? to
      // Before the socket closes: without an ACK the response is retransmitted, to the next owner of the port.
      await send([
        `ACK sip:${called}@${host}:${port} SIP/2.0`,
        ...dialog,
        `To: ${answeredTo}`,
        'CSeq: 1 ACK',
        'Max-Forwards: 70',
      ])
      return statuses
    }
    throw new Error('the socket has ended')
  } finally {
    socket.close()
  }
}

// What a carrier offers.
export const offer = [
  'v=0',
  'o=carrier 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 8',
  'a=rtpmap:8 PCMA/8000',
  '',
].join('\r\n')
