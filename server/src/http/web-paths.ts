// The API and the web pages share one port. Paths of the pages go to the second Fastify, which has body parsers, sessions and
// files; everything else is the API's.

import type { RequestListener } from 'node:http'

const webPath = /^\/(?:dashboard|console|web|assets)(?:[/?]|$)|^\/(?:mark\.svg|manifest\.webmanifest)$/

// Without the role `web` in this process everything is the API's.
export function splitWebPaths(web: RequestListener | undefined, api: RequestListener): RequestListener {
  if (!web) return api
  return (request, response) => (webPath.test(request.url ?? '') ? web : api)(request, response)
}
