// Where a webhook may go. The URL is a customer's, the request is ours: whatever it could reach inside our own network, it
// must not. Public addresses on the web's own ports, and whatever network the operator has listed, at any port.
//
// A name says nothing here; it is evaluated by what it resolves to, at the moment of each connection.

import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { groupsOf, isOnList } from '../accounts/client-address.ts'

const webPorts = new Set([80, 443, 8080, 8443])

// The registries of special-purpose addresses (IANA), and what is no single host.
const notPublicV4 = listed(
  'ipv4',
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
   192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
   240.0.0.0/4`,
)

// Of IPv6 only 2000::/3 is given out to hosts. Inside it lie Teredo and 6to4, which carry an IPv4 address of anybody's
// choice, and documentation. NAT64 (64:ff9b::/96) and every other way to wrap an IPv4 address lie outside.
const globalV6 = listed('ipv6', '2000::/3')
const notPublicV6 = listed('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20')

// An address as the system spells it, never a name.
export function mayReach(address: string, port: number, allowed: readonly string[]): boolean {
  const plain = plainAddress(address)
  if (plain === undefined) return false
  return isOnList(allowed, plain) || (webPorts.has(port) && isPublic(plain))
}

// What can be told of a URL before anything is resolved: undefined when a webhook may not go there.
export function parseCallbackUrl(text: string, allowed: readonly string[]): URL | undefined {
  // A URL parser forgives these, each in a way of its own; what two readers may read differently is refused.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!isWeb(url) || url.username !== '' || url.password !== '') return undefined
  const address = literalAddress(url.hostname)
  if (address !== undefined) return mayReach(address, portOf(url), allowed) ? url : undefined
  // Which network a name lies in is not known yet; without any network that is allowed, its port decides already.
  return webPorts.has(portOf(url)) || allowed.length > 0 ? url : undefined
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

// The address that a host of a URL stands for by itself. The parser has read decimal, octal and enclosed digits already.
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return bare
  return /(^|\.)localhost\.?$/.test(bare) ? '127.0.0.1' : undefined
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

function isPublic(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4')
  return globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}

// An IPv4 address that is written as IPv6 is evaluated as what it is. One with a zone means a link of this machine.
function plainAddress(address: string): string | undefined {
  if (isIPv4(address)) return address
  if (!isIPv6(address) || address.includes('%')) return undefined
  const groups = groupsOf(address)
  if (groups.slice(0, 5).some((group) => group !== '0') || groups[5] !== 'ffff') return address
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 0xff])
    .join('.')
}

function listed(family: 'ipv4' | 'ipv6', networks: string): BlockList {
  const list = new BlockList()
  for (const network of networks.split(/\s+/)) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
