// Prometheus metrics, on a separate port that is not exposed to the outside.

import { createServer, type Server } from 'node:http'
import type { Events } from '../process/metrics/events.ts'

export function createMetricsServer(events: Events): Server {
  return createServer((request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    events.exposition().then(
      (text) => response.writeHead(200, { 'content-type': events.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}
