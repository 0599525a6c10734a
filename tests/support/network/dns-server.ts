// A name server that a test controls: each name is answered by a function, so that every answer may differ.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type DnsServer = {
  readonly address: string
  // How often each name was queried, over both record types.
  readonly asked: ReadonlyMap<string, number>
  readonly close: () => Promise<void>
}

// The addresses of a name at its n-th query, from 0; undefined for NXDOMAIN, `silence` for no response.
export type Names = (name: string, nth: number) => readonly string[] | 'silence' | undefined

const typeA = 1
const typeAaaa = 28

export async function createDnsServer(names: Names, host = '127.0.0.1', port = 0): Promise<DnsServer> {
  const asked = new Map<string, number>()
  const counts = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    asked.set(name, (asked.get(name) ?? 0) + 1)
    const nth = counts.get(`${type} ${name}`) ?? 0
    counts.set(`${type} ${name}`, nth + 1)
    const addresses = names(name, nth)
    if (addresses !== 'silence') socket.send(answerTo(query, end, type, addresses), from.port, from.address)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  return {
    address: `${host}:${socket.address().port}`,
    asked,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(query: Buffer, end: number, type: number, addresses: readonly string[] | undefined): Buffer {
  const fitting = (addresses ?? []).filter((address) => address.includes(':') === (type === typeAaaa))
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(addresses === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(fitting.length, 6)
  header.fill(0, 8, 12)
  const records = fitting.map((address) => {
    const bytes = bytesOf(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(address.includes(':') ? typeAaaa : typeA, 2)
    record.writeUInt16BE(1, 4)
    // A TTL of zero: no resolver may cache it.
    record.writeUInt32BE(0, 6)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === '' ? [] : tail.split(':')
  const groups = [...front, ...Array.from({ length: 8 - front.length - back.length }, () => '0'), ...back]
  const bytes = Buffer.alloc(16)
  for (const [index, group] of groups.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2)
  return bytes
}
