// Connections to addresses that a customer named. A literal address never passes a look-up, a name may have many addresses
// and others a moment later, and a socket may end up elsewhere than it was sent: so all three are evaluated. A name is resolved
// once for each connection, refused if any of its addresses is forbidden, and the socket gets the very addresses that were
// evaluated.
//
// An address has so many connections at once and no more, however many names lead to it: a customer who owns a domain owns
// all names below it, and could point them all at somebody else.

import { isIP, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import { buildConnector } from 'undici'
import { limitKey } from '../domain/accounts/client-address.ts'
import { literalAddress, mayReach } from '../domain/webhooks/web-address.ts'

// Every address of a name.
export type Resolve = (name: string) => Promise<readonly string[]>

export const addressRefused = 'ERR_ADDRESS_REFUSED'
export const addressBusy = 'ERR_ADDRESS_BUSY'
export const addressConnectionsMax = 16

const connectMs = 5_000

export function connectSafely(allowed: readonly string[], resolve: Resolve): buildConnector.connector {
  const places = createAddressPlaces()
  const reach = callbackify(async (options: buildConnector.Options) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
    const addresses = await allowedAddresses(allowed, resolve, options.hostname, port)
    const leave = places.enter(addresses)
    try {
      const socket = await connected(addresses, options)
      socket.once('close', leave)
      if (mayReach(socket.remoteAddress ?? '', port, allowed)) return socket
      socket.destroy()
    } catch (error) {
      leave()
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
  if (addresses.length === 0) throw new Error('a name has no address')
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

// A name may end up at any of its addresses, so it takes a place at each.
function createAddressPlaces(): { readonly enter: (addresses: readonly string[]) => () => void } {
  const counts = new Map<string, number>()
  return {
    enter: (addresses) => {
      const keys = [...new Set(addresses.map(limitKey))]
      if (keys.some((key) => (counts.get(key) ?? 0) >= addressConnectionsMax)) {
        throw Object.assign(new Error('an address has as many webhooks as it may have'), { code: addressBusy })
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
  return Object.assign(new Error('a webhook may not go to that address'), { code: addressRefused })
}
