// A bounded load of one request, repeated over keep-alive connections, in a separate process:
//
//   node http-load.ts URL AUTHORIZATION COUNT AT-ONCE
//
// Prints the responses with 200 per second; any other response ends it.

import { Agent, get } from 'node:http'

const [url = '', authorization = '', count = '0', atOnce = '1'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) })
let left = Number(count)

const startedMs = performance.now()
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (left-- > 0) await ask()
  }),
)
process.stdout.write(String(Number(count) / ((performance.now() - startedMs) / 1000)))
agent.destroy()

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
      response.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}
