// Decodes HEP version 3, the format in which Asterisk (res_hep_pjsip) sends a copy of every SIP message: chunks of vendor,
// type, length and value. Only source, destination, time, key, Call-ID and text are read.

import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'

export type SipCopy = {
  readonly protocol: 'udp' | 'tcp' | undefined
  readonly source: SipAddress
  readonly destination: SipAddress
  // When Asterisk sent or received it, in Unix time.
  readonly atMs: number
  // As Asterisk parsed it.
  readonly callId: string
  readonly text: string
}

export type SipAddress = { readonly host: string; readonly port: number }

const headerBytes = 6
// Of a message over UDP, or of what arrived together over TCP. Carriers' messages are much shorter.
const copyBytesMax = 16_384
const chunk = {
  protocol: 2,
  from4: 3,
  to4: 4,
  from6: 5,
  to6: 6,
  fromPort: 7,
  toPort: 8,
  seconds: 9,
  micros: 10,
  key: 14,
  text: 15,
  callId: 17,
}

// Undefined unless it is a copy with our key: any process on the machine can send to the port.
export function decodeHep(packet: Buffer, key: string): SipCopy | undefined {
  if (packet.length > copyBytesMax) return undefined
  if (packet.length < headerBytes || packet.toString('latin1', 0, 4) !== 'HEP3') return undefined
  const chunks = new Map<number, Buffer>()
  for (let at = headerBytes; at + headerBytes <= packet.length; ) {
    const length = packet.readUInt16BE(at + 4)
    if (length < headerBytes || at + length > packet.length) return undefined
    if (packet.readUInt16BE(at) === 0) {
      chunks.set(packet.readUInt16BE(at + 2), packet.subarray(at + headerBytes, at + length))
    }
    at += length
  }
  // First: what is not for this reader, or a stranger's, is not looked at.
  if (chunks.get(chunk.key)?.toString() !== key) return undefined
  const text = chunks.get(chunk.text)
  const callId = chunks.get(chunk.callId)?.toString() ?? callIdIn(text)
  const source = addressOf(chunks.get(chunk.from4) ?? chunks.get(chunk.from6), chunks.get(chunk.fromPort))
  const destination = addressOf(chunks.get(chunk.to4) ?? chunks.get(chunk.to6), chunks.get(chunk.toPort))
  if (!text || !callId || !source || !destination) return undefined
  const protocol = protocols.get(chunks.get(chunk.protocol)?.[0] ?? 0)
  // Asterisk knows the time of a received message in whole milliseconds only.
  const atMs = numberOf(chunks.get(chunk.seconds)) * 1_000 + Math.floor(numberOf(chunks.get(chunk.micros)) / 1_000)
  return { protocol, source, destination, atMs, callId, text: text.toString() }
}

// Authenticates the copies of Asterisk and of the edge. It is sent unencrypted over loopback, so it is not the ARI password itself.
export function hepKey(ariPassword: string, sender: 'asterisk' | 'edge'): string {
  return createHmac('sha256', ariPassword)
    .update(sender === 'asterisk' ? 'hep' : 'hep edge')
    .digest('hex')
}

// Parses "host:port" as Asterisk writes it.
export function parseSipAddress(text: string): SipAddress | undefined {
  const [, host6, host4, port] = /^(?:\[([0-9a-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = host6 ?? host4
  return host === undefined ? undefined : { host: canonicalHost(host), port: Number(port) }
}

export function formatSipAddress({ host, port }: SipAddress): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

const protocols: ReadonlyMap<number, 'udp' | 'tcp'> = new Map([
  [6, 'tcp'],
  [17, 'udp'],
])

// Kamailio sends none.
function callIdIn(text: Buffer | undefined): string | undefined {
  return /^(?:call-id|i)[ \t]*:[ \t]*(\S+)/im.exec(text?.toString() ?? '')?.[1]
}

function numberOf(value: Buffer | undefined): number {
  return value?.length === 4 ? value.readUInt32BE() : 0
}

function addressOf(host: Buffer | undefined, port: Buffer | undefined): SipAddress | undefined {
  if (port?.length !== 2 || !host) return undefined
  if (host.length === 4) return { host: host.join('.'), port: port.readUInt16BE() }
  if (host.length !== 16) return undefined
  const groups = Array.from({ length: 8 }, (_, index) => host.readUInt16BE(index * 2).toString(16))
  return { host: canonicalHost(groups.join(':')), port: port.readUInt16BE() }
}

// One spelling per IPv6 address.
export function canonicalHost(host: string): string {
  return isIPv6(host) ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host
}
