// Where a webhook may go. The customer chooses the URL but we send the request, so it must not reach our internal network
// (SSRF). Allowed are public addresses on web ports, and networks listed by the operator on any port.
//
// Host names are not checked here but by the addresses they resolve to, at each connection.

import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { groupsOf, isOnList } from '../accounts/client-address.ts'

const webPorts = new Set([80, 443, 8080, 8443])

// IANA's special-purpose registries, and addresses that are not a single host.
const notPublicV4 = listed(
  'ipv4',
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
   192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
   240.0.0.0/4`,
)

// Of IPv6 only 2000::/3 is assigned to hosts. It contains Teredo and 6to4, which embed an arbitrary IPv4 address, and the
// documentation ranges. NAT64 (64:ff9b::/96) and all other embeddings of IPv4 are outside.
const globalV6 = listed('ipv6', '2000::/3')
const notPublicV6 = listed('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20')

// Takes an IP address, never a host name.
export function mayReach(address: string, port: number, allowed: readonly string[]): boolean {
  const plain = plainAddress(address)
  if (plain === undefined) return false
  return isOnList(allowed, plain) || (webPorts.has(port) && isPublic(plain))
}

// Checks a URL before anything is resolved: undefined if a webhook may not go there.
export function parseCallbackUrl(text: string, allowed: readonly string[]): URL | undefined {
  // URL parsers accept these, each in a different way; a URL that two parsers may read differently is refused.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!isWeb(url) || url.username !== '' || url.password !== '') return undefined
  const address = literalAddress(url.hostname)
  if (address !== undefined) return mayReach(address, portOf(url), allowed) ? url : undefined
  // The network of a host name is not known yet; if no network is allowed by the operator, the port decides now.
  return webPorts.has(portOf(url)) || allowed.length > 0 ? url : undefined
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

// The IP address written as a URL's host, if it is one. The URL parser has already normalised decimal, octal and enclosed
// digits.
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

// An IPv4-mapped IPv6 address is checked as IPv4. An address with a zone is link-local.
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
