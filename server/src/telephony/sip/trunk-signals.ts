// What carriers reply to our OPTIONS and REGISTER, from copies of SIP messages (hep.ts). ARI knows only whether a
// carrier replied at all; the status and the time it took are in the messages. No number is in them, and only statuses leave.
//
// Anyone can send us an OPTIONS that names a carrier, so a request counts only if it left from an address of this machine. A reply
// counts only with the Call-ID of such a request, which is random.

import { networkInterfaces } from 'node:os'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { noSignals, type TrunkSignals } from '../../domain/trunks/trunk-health.ts'
import type { Clock } from '../../process/clock.ts'
import type { SipCopy } from './hep.ts'

type SignalReader = {
  readonly add: (copy: SipCopy) => void
  readonly of: (trunk: Trunk) => TrunkSignals
}

type Sent = { readonly peer: string; readonly atMs: number; readonly hasPassword: boolean }
type Peer = {
  optionsStatus: number | undefined
  rttMs: number | undefined
  // When the first OPTIONS without a reply was sent, by our clock.
  silentSinceMs: number | undefined
  registerStatus: number | undefined
  registerHadPassword: boolean
  ourAddress: string | undefined
}

const unknownPeer: Peer = {
  optionsStatus: undefined,
  rttMs: undefined,
  silentSinceMs: undefined,
  registerStatus: undefined,
  registerHadPassword: false,
  ourAddress: undefined,
}

const openMax = 1_000
const earlyMax = 100
const peersMax = 1_000

export function createSignalReader(clock: Clock): SignalReader {
  const isOurs = createOwnAddresses(clock)
  // By method, Call-ID and CSeq. Replies come within seconds; what never gets one is displaced.
  const open = new Map<string, Sent>()
  // Replies whose request has not been copied yet: the edge sends first and copies then.
  const early = new Map<string, readonly [copy: SipCopy, status: number]>()
  const peers = new Map<string, Peer>()
  const peerOf = (name: string): Peer => {
    const known = peers.get(name) ?? { ...unknownPeer }
    keep(peers, name, known, peersMax)
    return known
  }
  const sent = (copy: SipCopy, method: string, uri: string) => {
    const name = transactionOf(copy.text, copy.callId)
    // The same again is a retransmission.
    if (name === undefined || open.has(name) || !isOurs(copy.source.host)) return
    const peer = method === 'OPTIONS' ? optionsPeer(uri) : registerPeer(uri, copy.text)
    keep(open, name, { peer, atMs: copy.atMs, hasPassword: /^authorization[ \t]*:/im.test(copy.text) }, openMax)
    if (method === 'OPTIONS') {
      peerOf(peer).silentSinceMs ??= clock.monotonicMs()
      if (copy.source.host !== '0.0.0.0') peerOf(peer).ourAddress ??= copy.source.host
    }
    const reply = early.get(name)
    if (reply) received(...reply)
  }
  const received = (copy: SipCopy, status: number) => {
    const name = transactionOf(copy.text, copy.callId)
    const request = name === undefined ? undefined : open.get(name)
    if (name === undefined || status < 200) return
    if (request === undefined) return keep(early, name, [copy, status], earlyMax)
    open.delete(name)
    early.delete(name)
    const peer = peerOf(request.peer)
    if (name.startsWith('OPTIONS ')) {
      peer.optionsStatus = status
      peer.rttMs = Math.max(0, copy.atMs - request.atMs)
      peer.silentSinceMs = undefined
      peer.ourAddress = seenAddress(copy.text) ?? peer.ourAddress
      return
    }
    peer.registerStatus = status
    peer.registerHadPassword = request.hasPassword
  }
  return {
    add: (copy) => {
      const [, method, uri = ''] = /^(OPTIONS|REGISTER) (\S+) SIP\/2\.0/.exec(copy.text) ?? []
      if (method !== undefined) return sent(copy, method, uri)
      const [, status] = /^SIP\/2\.0 (\d{3})/.exec(copy.text) ?? []
      if (status !== undefined) received(copy, Number(status))
    },
    of: (trunk) => {
      const options = peers.get(optionsPeer(`sip:${trunk.address}`))
      const register = peers.get(registerPeer(`sip:${trunk.address}`, `To: <sip:${trunk.user}@`))
      const since = options?.silentSinceMs
      return {
        ...noSignals,
        optionsStatus: options?.optionsStatus,
        rttMs: options?.rttMs,
        silentMs: since === undefined ? undefined : clock.monotonicMs() - since,
        registerStatus: register?.registerStatus,
        registerHadPassword: register?.registerHadPassword ?? false,
        ourAddress: options?.ourAddress,
      }
    },
  }
}

const addressesMs = 5_000

function createOwnAddresses(clock: Clock): (host: string) => boolean {
  let readMs = -addressesMs
  let addresses: ReadonlySet<string> = new Set()
  return (host) => {
    if (clock.monotonicMs() - readMs >= addressesMs) {
      readMs = clock.monotonicMs()
      const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
      addresses = new Set(['0.0.0.0', '::', ...interfaces.map(({ address }) => address)])
    }
    return addresses.has(host)
  }
}

// RFC 3581: the carrier writes the source address of our request into its Via. With an edge, the second Via is Asterisk's.
function seenAddress(reply: string): string | undefined {
  const [via = ''] = /^(?:via|v)[ \t]*:[^,\r\n]*/im.exec(reply) ?? []
  return /;received=\[?([0-9a-f.:]+)/i.exec(via)?.[1]
}

// Trunks to the same host share what it replies to OPTIONS.
function optionsPeer(uri: string): string {
  return uri.replace(/^sips?:/, '').replace(/;.*$/, '')
}

function registerPeer(uri: string, text: string): string {
  const user = /^(?:to|t)[ \t]*:[^<\r\n]*<sips?:([^@>\r\n]*)@/im.exec(text)?.[1] ?? ''
  return `${user}@${optionsPeer(uri)}`
}

function transactionOf(text: string, callId: string): string | undefined {
  const [, sequence, method] = /^cseq[ \t]*:[ \t]*(\d+)[ \t]+(OPTIONS|REGISTER)\b/im.exec(text) ?? []
  return method === undefined ? undefined : `${method} ${sequence} ${callId}`
}

// The oldest are displaced.
function keep<T>(table: Map<string, T>, name: string, value: T, max: number): void {
  table.set(name, value)
  for (const oldest of table.keys()) {
    if (table.size <= max) return
    table.delete(oldest)
  }
}
