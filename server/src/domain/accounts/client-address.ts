// Client addresses as text: what an allow-list may contain, whether an address is on it, and the key of a rate limit.

import { BlockList, isIP, isIPv6 } from 'node:net'

// '203.0.113.7', '2001:db8::/32'. A network must have no host bits set: 203.0.113.7/8 is surely a mistake and would admit a
// 256th of all addresses.
export function isAddressOrCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false
  if (prefix === undefined) return true
  const bits = bitsOf(address)
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits.length && !bits.slice(Number(prefix)).includes('1')
}

export function isOnList(list: readonly string[], address: string): boolean {
  const plain = withoutMapping(address)
  return blockListOf(list).check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

// What counts as one client. A household or a rented server has a whole IPv6 /64, so that is one client.
export function limitKey(address: string): string {
  const plain = withoutMapping(address)
  if (!isIPv6(plain)) return plain
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
}

// An IPv4 client on an IPv6 socket is still an IPv4 client.
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}

// As a string of zeros and ones.
function bitsOf(address: string): string {
  return isIPv6(address)
    ? groupsOf(address)
        .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
        .join('')
    : address
        .split('.')
        .map((octet) => Number(octet).toString(2).padStart(8, '0'))
        .join('')
}

// All eight groups of an IPv6 address as URL writes them: lower case, no leading zeros, no IPv4 part.
export function groupsOf(address: string): readonly string[] {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => '0'), ...back]
}

// Lists are cached with their API clients and checked on every request; each is parsed once.
const blockLists = new WeakMap<readonly string[], BlockList>()

function blockListOf(list: readonly string[]): BlockList {
  const kept = blockLists.get(list)
  if (kept) return kept
  const blockList = new BlockList()
  for (const item of list) {
    const [address = '', prefix] = item.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) blockList.addAddress(address, family)
    else blockList.addSubnet(address, Number(prefix), family)
  }
  blockLists.set(list, blockList)
  return blockList
}
