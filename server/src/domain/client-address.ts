import { isIP } from 'node:net'

// '203.0.113.7', '2001:db8::/32'. A mask of its own length is a mask, 33 bits of an IPv4 address are not.
export function isAddressOrCidr(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/')
  const family = isIP(address)
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)
}
