// The path of a request, as the router reads it.

import type { FastifyRequest } from 'fastify'

// Whether the path exists for another HTTP method. The router decides, because it knows how paths are normalized.
export function isMethodPath({ server, url }: FastifyRequest): boolean {
  return server.hasRoute({ method: 'GET', url: pathOf(url) })
}

// A request may also name an absolute URL.
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? (url.split(/[?#]/)[0] ?? '') : URL.canParse(url) ? new URL(url).pathname : url
  return decodeURI(path)
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
}
