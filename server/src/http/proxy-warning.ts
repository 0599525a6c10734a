// Warns about a proxy that is not in the trusted list, wherever it is: every client behind it has the proxy's address, so all share
// one rate limit, and five wrong keys from one client block all of them. A client may send the header itself, so a process names
// only the first few addresses, each once.

import type { FastifyRequest } from 'fastify'
import { isOnList, withoutMapping } from '../domain/accounts/client-address.ts'
import type { Logger } from '../process/log/log.ts'

type Deps = { readonly trustedProxies: readonly string[]; readonly log: Logger }

const peersMax = 10

export function proxyWarning({ trustedProxies, log }: Deps): (request: FastifyRequest) => void {
  const warned = new Set<string>()
  return ({ raw }) => {
    if (raw.headers['x-forwarded-for'] === undefined || warned.size >= peersMax) return
    const peer = withoutMapping(raw.socket.remoteAddress ?? '')
    if (warned.has(peer) || isOnList(trustedProxies, peer)) return
    warned.add(peer)
    const fix = `if this is your proxy, set RINGPROOF_TRUSTED_PROXIES=${[...trustedProxies, peer].join(',')}`
    log.warn({ peer, fix }, 'X-Forwarded-For ignored')
  }
}
