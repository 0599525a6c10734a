// A carrier whose phones ring until they are cancelled, and that keeps how long each rang. It matches a CANCEL by its branch, and forgets
// a call with the ACK: after half a million calls it must not pause longer than after the first.

import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { freePort } from '../../../scripts/stack/ports.ts'
import { poll } from '../poll.ts'

type Ringing = { readonly user: string; readonly sinceMs: number; hasEnded: boolean }

export type RingingCarrier = {
  readonly address: string
  // How long each phone rang for calls from this user, once so many have ended.
  readonly ends: (user: string, calls: number) => Promise<readonly number[]>
  // Call-IDs with more than one INVITE, repetitions of the same branch apart.
  readonly repeatedCalls: () => readonly string[]
  readonly rangSoFar: () => readonly number[]
  readonly stillRinging: () => number
  // Resolves when no phone rings.
  readonly quiet: () => Promise<unknown>
  readonly close: () => void
}

export async function createRingingCarrier(): Promise<RingingCarrier> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
  socket.bind(await freePort(), '127.0.0.1')
  await once(socket, 'listening')
  // By branch, until the end of a call is acknowledged.
  const ringing = new Map<string, Ringing>()
  const callIds: string[] = []
  const rangMs = new Map<string, number[]>()
  const send = (text: string, { port, address }: RemoteInfo) => socket.send(text, port, address)
  const ring = (branch: string, text: string) => {
    callIds.push(copy(/^call-id: *(\S+)/im.exec(text)?.[1] ?? ''))
    const user = copy(/^from:.*<sip:([^@]+)@/im.exec(text)?.[1] ?? '')
    ringing.set(copy(branch), { user, sinceMs: performance.now(), hasEnded: false })
  }
  const end = (call: Ringing) => {
    call.hasEnded = true
    const ended = rangMs.get(call.user) ?? []
    ended.push(performance.now() - call.sinceMs)
    rangMs.set(call.user, ended)
  }
  socket.on('message', (packet, from) => {
    const text = packet.toString('latin1')
    const [method = ''] = text.split(' ', 1)
    const branch = /^via:.*?;branch=([^;\s]+)/im.exec(text)?.[1] ?? ''
    const call = ringing.get(branch)
    if (method === 'INVITE') {
      if (!call) ring(branch, text)
      send(replyTo(text, '180 Ringing'), from)
    }
    // Asterisk asks whether the carrier is there.
    if (method === 'OPTIONS') send(replyTo(text, '200 OK'), from)
    if (method === 'ACK' && call?.hasEnded) ringing.delete(branch)
    if (method !== 'CANCEL') return
    send(replyTo(text, call ? '200 OK' : '481 Call Does Not Exist'), from)
    if (!call || call.hasEnded) return
    end(call)
    send(replyTo(text, '487 Request Terminated').replace(/^CSeq: (\d+) CANCEL/m, 'CSeq: $1 INVITE'), from)
  })
  const stillRinging = () => [...ringing.values()].filter(({ hasEnded }) => !hasEnded).length
  return {
    address: `127.0.0.1:${socket.address().port}`,
    ends: (user, calls) =>
      poll(
        'phones to stop ringing',
        () => rangMs.get(user) ?? [],
        ({ length }) => length === calls,
      ),
    repeatedCalls: () => {
      const seen = new Set<string>()
      return callIds.filter((id) => seen.has(id) || !seen.add(id))
    },
    rangSoFar: () => [...rangMs.values()].flat(),
    stillRinging,
    quiet: () => poll('silence', () => stillRinging() === 0),
    close: () => socket.close(),
  }
}

// A part of a text keeps the whole text in memory.
function copy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function replyTo(request: string, status: string): string {
  const [head = ''] = request.split('\r\n\r\n', 1)
  const kept = head.split('\r\n').filter((line) => /^(via|from|call-id|cseq|record-route):/i.test(line))
  const to = /^to: *(.*)$/im.exec(head)?.[1]?.replace(/;tag=.*$/, '') ?? ''
  return [`SIP/2.0 ${status}`, ...kept, `To: ${to};tag=carrier`, 'Content-Length: 0', '', ''].join('\r\n')
}
