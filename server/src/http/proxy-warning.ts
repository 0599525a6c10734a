// Warns once about a proxy on this machine that is not in the trusted list: every client behind it has the proxy's address,
// so all share one rate limit, and five wrong keys from one client block all of them.

import type { FastifyRequest } from 'fastify'
import { isOnList } from '../domain/accounts/client-address.ts'
import type { Logger } from '../log.ts'

type Deps = { readonly trustedProxies: readonly string[]; readonly log: Logger }

const loopback: readonly string[] = ['127.0.0.0/8', '::1']

export function proxyWarning({ trustedProxies, log }: Deps): (request: FastifyRequest) => void {
  let hasWarned = false
  return ({ raw }) => {
    if (hasWarned || raw.headers['x-forwarded-for'] === undefined) return
    const peer = raw.socket.remoteAddress ?? ''
    if (!isOnList(loopback, peer) || isOnList(trustedProxies, peer)) return
    hasWarned = true
    const fix = `if this is your proxy, set RINGPROOF_TRUSTED_PROXIES=${peer}`
    log.warn({ peer, fix }, 'X-Forwarded-For ignored')
  }
}
