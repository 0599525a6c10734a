// A capture file (pcap, raw IP) of SIP messages that Wireshark and sngrep open. Each message is one UDP datagram, also of a call
// over TCP or TLS, because what was captured are messages and not segments. Numbers are masked as in the texts that come in.

import { isIPv6 } from 'node:net'

type Datagram = {
  // Unix time.
  readonly atMs: number
  // "host:port", an IPv6 host in brackets.
  readonly source: string
  readonly destination: string
  readonly text: string
}

const magic = 0xa1_b2_c3_d4
const rawIp = 101
const bytesMax = 65_535
const udp = 17

export function pcapOf(datagrams: readonly Datagram[]): Buffer {
  const head = Buffer.alloc(24)
  head.writeUInt32LE(magic, 0)
  head.writeUInt16LE(2, 4)
  head.writeUInt16LE(4, 6)
  head.writeUInt32LE(bytesMax, 16)
  head.writeUInt32LE(rawIp, 20)
  return Buffer.concat([head, ...datagrams.flatMap(recordOf)])
}

// A carrier's address that is no IP address cannot be in a packet.
function recordOf({ atMs, source, destination, text }: Datagram): readonly Buffer[] {
  const [from, to] = [parseAddress(source), parseAddress(destination)]
  if (!from || !to || from.bytes.length !== to.bytes.length) return []
  const packet = packetOf(from, to, wireText(text))
  const head = Buffer.alloc(16)
  head.writeUInt32LE(Math.floor(atMs / 1_000), 0)
  head.writeUInt32LE(Math.round((atMs % 1_000) * 1_000), 4)
  head.writeUInt32LE(packet.length, 8)
  head.writeUInt32LE(packet.length, 12)
  return [head, packet]
}

type Address = { readonly bytes: Buffer; readonly port: number }

function packetOf(from: Address, to: Address, payload: Buffer): Buffer {
  const datagram = Buffer.alloc(8)
  const length = datagram.length + payload.length
  datagram.writeUInt16BE(from.port, 0)
  datagram.writeUInt16BE(to.port, 2)
  datagram.writeUInt16BE(length, 4)
  const pseudo = Buffer.concat([from.bytes, to.bytes, Buffer.from([0, udp, length >> 8, length & 0xff])])
  // Zero would mean that there is none.
  datagram.writeUInt16BE(checksumOf(Buffer.concat([pseudo, datagram, payload])) || 0xff_ff, 6)
  return Buffer.concat([ipHead(from.bytes, to.bytes, length), datagram, payload])
}

function ipHead(from: Buffer, to: Buffer, length: number): Buffer {
  if (from.length === 16) {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(0x60_00_00_00, 0)
    head.writeUInt16BE(length, 4)
    head[6] = udp
    head[7] = 64
    return Buffer.concat([head, from, to])
  }
  const head = Buffer.alloc(12)
  head[0] = 0x45
  head.writeUInt16BE(20 + length, 2)
  head[8] = 64
  head[9] = udp
  const whole = Buffer.concat([head, from, to])
  whole.writeUInt16BE(checksumOf(whole), 10)
  return whole
}

// The Internet checksum (RFC 1071).
function checksumOf(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  while (sum > 0xff_ff) sum = (sum & 0xff_ff) + (sum >> 16)
  return ~sum & 0xff_ff
}

// As on the wire: lines end with CR and LF, the length is that of the masked body, and no placeholder breaks an address.
function wireText(text: string): Buffer {
  const [head = '', ...bodies] = text.replaceAll(/<(user|removed|name)>/g, '$1').split('\n\n')
  const body = bodies.length === 0 ? '' : `${bodies.join('\n\n').replaceAll('\n', '\r\n')}\r\n`
  const lines = head.replace(/^(content-length|l)[ \t]*:.*$/im, `Content-Length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.replaceAll('\n', '\r\n')}\r\n\r\n${body}`)
}

function parseAddress(text: string): Address | undefined {
  const [, host6, host4, port] = /^(?:\[([0-9a-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? []
  const bytes = host6 === undefined ? bytesOf4(host4 ?? '') : bytesOf6(host6)
  return bytes && { bytes, port: Number(port) }
}

function bytesOf4(host: string): Buffer | undefined {
  const parts = host.split('.').map(Number)
  return parts.length === 4 && parts.every((part) => part <= 255) ? Buffer.from(parts) : undefined
}

function bytesOf6(host: string): Buffer | undefined {
  if (!isIPv6(host)) return undefined
  const [left = '', right] = host.split('::')
  const words = (side: string) => (side === '' ? [] : side.split(':').map((word) => Number.parseInt(word, 16)))
  const [before, after] = [words(left), right === undefined ? [] : words(right)]
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}
