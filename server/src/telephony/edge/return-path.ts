// Checks that the sender of a UDP call received our reply. A UDP source address can be forged; our To tag is random, and
// only a receiver of our reply can repeat it. ARI does not report the ACK, so Asterisk's copies of SIP messages (hep.ts)
// are read. The states of a watched call:
//
//   ringing       The tag is known from Asterisk over ARI. An ACK does not count yet.
//   refused       Our 486 with that tag went to the source address of the INVITE. No other final reply counts: Asterisk
//                 replies to an earlier CANCEL with the tag too, at the address in the Via of the CANCEL.
//   confirmed     An ACK came from that address with the Call-ID and the tag; we compare both ourselves.
//   unconfirmed   A reply went to another address or could be forwarded by a relay; or no ACK came while the 486 was being
//                 retransmitted; or a copy was lost; or too many calls are watched. Final.
//
// Copies of INVITEs also show the transport protocol of each call, which the message itself cannot be trusted to state.

import { createSocket, type Socket } from 'node:dgram'
import { equalText } from '../../domain/crypto/keyed-digest.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import { decodeHep, type SipAddress, type SipCopy } from '../sip/hep.ts'

export type ReturnPath = {
  // Undefined if no copy of the INVITE arrives in time.
  readonly protocolOf: (callId: string, source: SipAddress) => Promise<'udp' | 'tcp' | undefined>
  readonly watch: (call: WatchedCall) => Watched
  readonly close: () => Promise<void>
}

export type WatchedCall = {
  readonly callId: string
  // Our tag, in the To of every reply except 100.
  readonly tag: string
  readonly source: SipAddress
  readonly allowsRelay: boolean
}

type Watched = {
  readonly confirmed: Promise<boolean>
  // The call was refused: wait for the ACK from now on.
  readonly refused: () => void
}

export type SipReader = { readonly add: (copy: SipCopy) => void }

type ReturnPathDeps = {
  // On loopback; undefined if no copies are sent.
  readonly port: number | undefined
  readonly key: string
  // Each gets every copy.
  readonly readers: readonly SipReader[]
  // Copies of the edge, with another key. They say nothing of calls that come in over Asterisk.
  readonly edge?: (SipReader & { readonly key: string }) | undefined
  readonly clock: Clock
  readonly log: Logger
}

// Asterisk retransmits its 486 for 64 × T1; T1 is set in deploy/asterisk/pjsip.conf.
const ackMs = 7_000
// Much longer than an inbound call rings.
const watchMs = 60_000
const inviteCopyMs = 500
const watchedMax = 10_000
const invitesMax = 10_000
const bindRetryMs = 300
const receiveBufferBytes = 4 * 1024 * 1024

// A version 4 UUID (122 random bits), which PJSIP generates from the system's random source. A tag of another form may be
// predictable, so it proves nothing.
const randomTag = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

type Entry = WatchedCall & { isRefused: boolean; readonly end: (isConfirmed: boolean) => void }

export function createReturnPath({ port, key, readers, edge, clock, log }: ReturnPathDeps): ReturnPath {
  const watched = new Map<string, Entry>()
  const invites = createInvites(clock)
  const listener = port === undefined ? undefined : createListener(port, { clock, log }, receive)
  function receive(packet: Buffer): void {
    const copy = decodeHep(packet, key)
    if (!copy) {
      const edgeCopy = edge && decodeHep(packet, edge.key)
      if (edgeCopy) edge.add(edgeCopy)
      return
    }
    for (const reader of readers) reader.add(copy)
    // Messages received in one TCP segment are each copied with the whole segment, so the text may start with another one.
    if (copy.protocol === 'tcp' || copy.text.startsWith('INVITE ')) invites.add(copy)
    const entry = watched.get(copy.callId)
    if (entry) advance(entry, copy)
  }
  return {
    protocolOf: port === undefined ? async () => undefined : invites.protocolOf,
    watch: (call) => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      // A Call-ID used by two calls at once proves nothing for either.
      const earlier = watched.get(call.callId)
      earlier?.end(false)
      if (earlier || watched.size >= watchedMax || !randomTag.test(call.tag) || !listener) {
        return { confirmed: Promise.resolve(false), refused: () => undefined }
      }
      let timer = clock.after(watchMs, () => end(false))
      const end = (isConfirmed: boolean) => {
        timer.stop()
        watched.delete(call.callId)
        resolve(isConfirmed)
      }
      watched.set(call.callId, { ...call, isRefused: false, end })
      return {
        confirmed: promise,
        refused: () => {
          timer.stop()
          if (watched.has(call.callId)) timer = clock.after(ackMs, () => end(false))
        },
      }
    },
    close: async () => {
      for (const { end } of watched.values()) end(false)
      invites.close()
      await listener?.close()
    },
  }
}

function advance(entry: Entry, { text, source, destination }: SipCopy): void {
  const isReply = text.startsWith('SIP/2.0 ')
  // Asterisk writes replies with one Via per line.
  if (isReply && goesToOtherAddress(entry, text, destination)) return entry.end(false)
  if (text.startsWith('SIP/2.0 486 ') && hasTag(text, entry.tag)) entry.isRefused = true
  const isAck = text.startsWith('ACK ') && source.host === entry.source.host && hasTag(text, entry.tag)
  if (isAck && entry.isRefused) entry.end(true)
}

function goesToOtherAddress({ source, allowsRelay }: Entry, reply: string, destination: SipAddress): boolean {
  const vias = reply.match(/^via:.*$/gim) ?? []
  const isRelayed = vias.length > 1 && !allowsRelay
  return destination.host !== source.host || isRelayed || vias.some((via) => /;\s*maddr\s*=/i.test(via))
}

export function hasTag(text: string, tag: string): boolean {
  const [head = ''] = text.split('\r\n\r\n', 1)
  const tos = head.match(/^(?:to|t)[ \t]*:.*$/gim) ?? []
  // Behind the last bracket: an earlier one is of the URI, or of a display name.
  const parameters = (tos[0] ?? '').split('>').at(-1) ?? ''
  const given = /;[ \t]*tag[ \t]*=[ \t]*([^;,\s]+)[ \t]*(?:;|$)/i.exec(parameters)?.[1] ?? ''
  return tos.length === 1 && equalText(given, tag)
}

type Invites = {
  readonly add: (copy: SipCopy) => void
  readonly protocolOf: ReturnPath['protocolOf']
  readonly close: () => void
}

// The copy usually arrives before Asterisk's event. Each protocol has a separate table, so that a flood of forged datagrams
// cannot displace TCP entries.
function createInvites(clock: Clock): Invites {
  const seen = { udp: new Set<string>(), tcp: new Set<string>() }
  const waiting = new Map<string, () => void>()
  const protocolIn = (name: string) => {
    if (seen.udp.has(name)) return seen.tcp.has(name) ? undefined : 'udp'
    return seen.tcp.has(name) ? 'tcp' : undefined
  }
  return {
    add: ({ callId, source, protocol }) => {
      if (protocol === undefined) return
      const names = seen[protocol]
      const name = nameOf(callId, source)
      names.add(name)
      for (const oldest of names) {
        if (names.size <= invitesMax) break
        names.delete(oldest)
      }
      waiting.get(name)?.()
    },
    protocolOf: async (callId, source) => {
      const name = nameOf(callId, source)
      if (!seen.udp.has(name) && !seen.tcp.has(name) && waiting.size < invitesMax) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.set(name, resolve)
        const timer = clock.after(inviteCopyMs, resolve)
        await promise
        timer.stop()
        waiting.delete(name)
      }
      return protocolIn(name)
    },
    close: () => {
      for (const resolve of waiting.values()) resolve()
    },
  }
}

function nameOf(callId: string, { host, port }: SipAddress): string {
  return `${host} ${port} ${callId}`
}

// The port may still be held by the process that this one replaces, so binding is retried.
function createListener(
  port: number,
  { clock, log }: Pick<ReturnPathDeps, 'clock' | 'log'>,
  receive: (packet: Buffer) => void,
): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  let hasWarned = false
  const listening = (async () => {
    while (!closing.signal.aborted) {
      const socket = createSocket({ type: 'udp4', recvBufferSize: receiveBufferBytes }).on('message', receive)
      const failure = await bound(socket, port)
      if (!failure) {
        await new Promise<void>((resolve) => {
          if (closing.signal.aborted) return resolve()
          closing.signal.addEventListener('abort', () => resolve())
          return undefined
        })
      } else if (!hasWarned) {
        hasWarned = true
        log.warn({ err: failure, port, fix: 'free the port, or change RINGPROOF_HEP_PORT' }, 'HEP listen failed')
      }
      socket.close()
      await clock.sleep(bindRetryMs, closing.signal)
    }
  })()
  return {
    close: async () => {
      closing.abort()
      await listening
    },
  }
}

function bound(socket: Socket, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    socket.once('error', resolve)
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.off('error', resolve)
      // A datagram that cannot be read is a lost copy.
      socket.on('error', () => undefined)
      resolve(undefined)
    })
  })
}
