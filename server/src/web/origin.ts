// Which site sent a request. Browsers say so themselves: Sec-Fetch-Site cannot be set by a page; an old browser sends at least
// Origin with every change.

import type { IncomingHttpHeaders } from 'node:http'
import { Denial } from '../process/errors.ts'

export function refuseForeignOrigin(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site']
  const isOurs = site === undefined ? isSameHost(headers) : site === 'same-origin'
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '')
  if (!isOurs || !isJson) throw new Denial('foreign-origin')
}

function isSameHost({ origin, host }: IncomingHttpHeaders): boolean {
  return origin !== undefined && host !== undefined && URL.canParse(origin) && new URL(origin).host === host
}

// Whether a browser keeps a Secure cookie from us: over TLS, which a proxy ends, or on this machine.
export function isSecure(host: string | undefined, publicUrl: string): boolean {
  if (publicUrl.startsWith('https:')) return true
  const name = (host ?? '').replace(/:\d+$/, '')
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]'
}
