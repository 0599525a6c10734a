// The sockets of a process that others can send to, according to the kernel: listening TCP, and UDP without a fixed
// peer.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

// "udp 127.0.0.1:5060", sorted.
export function listeningPorts(pid: number): readonly string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap(
      (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
    ),
  )
  return ['tcp', 'tcp6', 'udp', 'udp6']
    .flatMap((table) => socketsOf(pid, table))
    .filter(({ inode, isOpen }) => inodes.has(inode) && isOpen)
    .map(({ name }) => name)
    .toSorted()
}

const tcpListens = '0A'
const udpUnconnected = '07'

function socketsOf(pid: number, table: string): readonly { inode: string; isOpen: boolean; name: string }[] {
  const [, ...rows] = readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trimEnd().split('\n')
  return rows.map((row) => {
    const columns = row.trim().split(/\s+/)
    const [, local = '', , state = ''] = columns
    const isOpen = state === (table.startsWith('tcp') ? tcpListens : udpUnconnected)
    return { inode: columns[9] ?? '', isOpen, name: `${table} ${addressOf(local)}` }
  })
}

// The kernel writes the four bytes of IPv4 in reverse order; an IPv6 address stays as it is.
function addressOf(text: string): string {
  const [host = '', port = ''] = text.split(':')
  const bytes =
    host
      .match(/../g)
      ?.toReversed()
      .map((byte) => Number.parseInt(byte, 16)) ?? []
  return `${bytes.length === 4 ? bytes.join('.') : host}:${Number.parseInt(port, 16)}`
}

// A socket may be closed meanwhile.
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
