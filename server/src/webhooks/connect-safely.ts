// Connects to a URL chosen by a customer, protected against SSRF. A literal address skips the DNS lookup, a name may have many
// addresses that change at any time, and a socket may connect to another address than intended: so all three are checked.
// A name is resolved once per connection and refused if any of its addresses is forbidden; the socket gets exactly the
// addresses that were checked.
//
// Connections per address are limited, however many names resolve to it: a customer who owns a domain could point all its
// subdomains at a third party.

import { isIP, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import { buildConnector } from 'undici'
import { limitKey } from '../domain/accounts/client-address.ts'
import { literalAddress, mayReach } from '../domain/webhooks/web-address.ts'

// All addresses of a host name.
export type Resolve = (name: string) => Promise<readonly string[]>

export const addressRefused = 'ERR_ADDRESS_REFUSED'
export const addressBusy = 'ERR_ADDRESS_BUSY'
const addressConnectionsMax = 16

const connectMs = 5_000

export function connectSafely(allowed: readonly string[], resolve: Resolve): buildConnector.connector {
  const limit = createAddressLimit()
  const reach = callbackify(async (options: buildConnector.Options) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
    const addresses = await allowedAddresses(allowed, resolve, options.hostname, port)
    const release = limit.acquire(addresses)
    try {
      const socket = await connected(addresses, options)
      socket.once('close', release)
      if (mayReach(socket.remoteAddress ?? '', port, allowed)) return socket
      socket.destroy()
    } catch (error) {
      release()
      throw error
    }
    throw refusal()
  })
  return (options, callback) =>
    reach(options, (error, socket) => (error ? callback(error, null) : callback(null, socket)))
}

async function allowedAddresses(
  allowed: readonly string[],
  resolve: Resolve,
  hostname: string,
  port: number,
): Promise<readonly string[]> {
  const literal = literalAddress(hostname)
  const addresses = literal === undefined ? await resolve(hostname) : [literal]
  if (!addresses.every((address) => mayReach(address, port, allowed))) throw refusal()
  if (addresses.length === 0) throw new Error('host name has no address')
  return addresses
}

function connected(addresses: readonly string[], options: buildConnector.Options): Promise<Socket> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = found
  const connect = buildConnector({
    timeout: connectMs,
    allowH2: false,
    maxCachedSessions: 0,
    lookup: (_name, { all }, callback) => (all ? callback(null, found) : callback(null, first.address, first.family)),
  })
  return new Promise((resolve, reject) => {
    connect(options, (error, socket) => (error === null ? resolve(socket) : reject(error)))
  })
}

// A name may connect to any of its addresses, so it counts at each.
function createAddressLimit(): { readonly acquire: (addresses: readonly string[]) => () => void } {
  const counts = new Map<string, number>()
  return {
    acquire: (addresses) => {
      const keys = [...new Set(addresses.map(limitKey))]
      if (keys.some((key) => (counts.get(key) ?? 0) >= addressConnectionsMax)) {
        throw Object.assign(new Error('address has reached its connection limit'), { code: addressBusy })
      }
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
      return () => {
        for (const key of keys) {
          const left = (counts.get(key) ?? 1) - 1
          if (left === 0) counts.delete(key)
          else counts.set(key, left)
        }
      }
    },
  }
}

function refusal(): Error & { code: string } {
  return Object.assign(new Error('webhook address is not allowed'), { code: addressRefused })
}
