// Receives webhooks, with @ringproof/client. In this repository: npx node examples/node/webhook.mjs
// Run it with WEBHOOK_SECRET set, and PORT for another port.

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { webhooks } from '@ringproof/client'

const server = createServer(async (request, response) => {
  try {
    // The raw body as received: JSON that was parsed and serialised again has another signature.
    const rawBody = await text(request)
    const call = await webhooks.verify(rawBody, request.headers, process.env.WEBHOOK_SECRET)
    console.log(`Verified: ${call.clientNumber} has called, verification ${call.callId}`)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
})
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1')
