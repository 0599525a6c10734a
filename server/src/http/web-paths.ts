// The API and the web pages share one port. Paths of the pages go to the second Fastify, which has body parsers, sessions and
// files; everything else is the API's.

import type { IncomingMessage, RequestListener } from 'node:http'

const webPath =
  /^\/(?:dashboard|console|web|assets)(?:[/?]|$)|^\/(?:mark\.svg|manifest\.webmanifest)$|^\/status\.json(?:\?|$)/

// Without the role `web` in this process everything is the API's.
export function splitWebPaths(web: RequestListener | undefined, api: RequestListener): RequestListener {
  if (!web) return api
  return (request, response) => (isForPeople(request) ? web : api)(request, response)
}

// Also the bare address, if a browser asks for it.
function isForPeople({ url = '', method, headers }: IncomingMessage): boolean {
  if (webPath.test(url)) return true
  return url === '/' && method === 'GET' && headers.accept?.includes('text/html') === true
}
