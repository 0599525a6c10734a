// Connections to addresses that a customer named. A literal address never passes a look-up, a name may have many addresses
// and others a moment later, and a socket may end up elsewhere than it was sent: so all three are judged. A name is resolved
// once for each connection, refused if any of its addresses is forbidden, and the socket gets the very addresses that were
// judged.

import { isIP, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import { buildConnector } from 'undici'
import { literalAddress, mayReach } from '../domain/web-address.ts'

// Every address of a name.
export type Resolve = (name: string) => Promise<readonly string[]>

export const addressRefused = 'ERR_ADDRESS_REFUSED'

const connectMs = 5_000

export function connectSafely(allowed: readonly string[], resolve: Resolve): buildConnector.connector {
  const reach = callbackify(async (options: buildConnector.Options) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
    const addresses = await judgedAddresses(allowed, resolve, options.hostname, port)
    const socket = await connected(addresses, options)
    if (mayReach(socket.remoteAddress ?? '', port, allowed)) return socket
    socket.destroy()
    throw refusal()
  })
  return (options, callback) =>
    reach(options, (error, socket) => (error ? callback(error, null) : callback(null, socket)))
}

async function judgedAddresses(
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

function refusal(): Error & { code: string } {
  return Object.assign(new Error('a web-hook may not go to that address'), { code: addressRefused })
}
