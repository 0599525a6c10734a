// Runs in a network namespace where every address is local: whatever a request reaches, it reaches a listener here,
// which counts by address. Nothing leaves the namespace. The counts are printed as JSON.
//
//   unshare --net -- node tests/support/network/ssrf-namespace.ts

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createClock } from '../../../server/src/process/clock.ts'
import { createDelivery, type Delivery } from '../../../server/src/webhooks/deliver.ts'
import { createResolver } from '../../../server/src/webhooks/resolve.ts'
import { forbiddenAddresses, forbiddenUrls } from '../http/forbidden-urls.ts'
import { createDnsServer } from './dns-server.ts'

export type Reached = {
  // By part of the run, the addresses that were connected to, once per connection.
  readonly connections: Readonly<Record<string, readonly string[]>>
  // By part of the run, the outcomes of the deliveries.
  readonly outcomes: Readonly<Record<string, readonly (string | number)[]>>
}

const open = '93.184.215.14'
const publicV6 = '2606:4700::1111'
const ports = [80, 443, 8080, 8443, 22, 25, 4222, 5432, 6379, 8088]
const tries = 1_000

for (const args of [
  ['link', 'set', 'lo', 'up'],
  ['route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo'],
  ['-6', 'route', 'add', 'local', '::/0', 'dev', 'lo'],
]) {
  execFileSync('ip', args)
}

const connections: Record<string, string[]> = {}
const outcomes: Record<string, (string | number)[]> = {}
let part = ''

const servers = await Promise.all(ports.map(listen))
const dns = await createDnsServer(names)
const strict = createDelivery({
  webhookAllow: [],
  resolve: createResolver({ clock: createClock(1), timeScale: 1 }, [dns.address]),
  clock: createClock(1),
  timeScale: 1,
})
const lax = createDelivery({
  webhookAllow: ['127.0.0.0/8'],
  resolve: createResolver({ clock: createClock(1), timeScale: 1 }, [dns.address]),
  clock: createClock(1),
  timeScale: 1,
})

// Positive control: the listeners receive connections to forbidden addresses too.
await run('received', [`http://${open}/`, `http://[${publicV6}]:8080/`, 'http://open.test/', 'http://both.test:8443/'])
await run('allowed', ['http://127.0.0.1:6379/', 'http://home.test:25/', 'http://open.test/'], lax)

// Unusual URLs that are refused for something other than their host are checked at registration.
const reaching = forbiddenUrls.filter((url) => URL.canParse(url) && /^https?:/.test(new URL(url).protocol))
await run(
  'literals',
  reaching.filter((url) => !url.includes('@') && !/\s/.test(url) && !url.includes('a\\b')),
)
await run(
  'names',
  forbiddenAddresses.map((_, index) => `http://n${index}.test/`),
)
await run('mixed', ['http://mixed4.test/', 'http://mixed6.test/', 'http://open.test:25/', 'http://open.test:6379/'])
await run('redirected', ['http://moved.test/moved'])
await run(
  'rebinding',
  Array.from({ length: tries }, () => 'http://rebinding.test/'),
)

process.stdout.write(JSON.stringify({ connections, outcomes } satisfies Reached))
await Promise.all([strict.close(), lax.close(), dns.close(), ...servers.map(close)])

async function run(name: string, urls: readonly string[], { deliver } = strict): Promise<void> {
  part = name
  connections[name] = []
  outcomes[name] = []
  for (const url of urls) {
    const { status, failure }: Delivery = await deliver(url, {}, '{}')
    outcomes[name].push(status ?? failure ?? '')
  }
}

function names(name: string, nth: number): readonly string[] | undefined {
  const numbered = /^n(\d+)\.test$/.exec(name)?.[1]
  if (numbered !== undefined) return [forbiddenAddresses[Number(numbered)] ?? '']
  const all: Readonly<Record<string, readonly string[]>> = {
    'open.test': [open],
    'example.com': [open],
    'moved.test': [open],
    'both.test': [open, publicV6],
    'home.test': ['127.0.0.1'],
    'mixed4.test': [open, '10.0.0.1'],
    'mixed6.test': [open, '::1'],
    // Another address at every lookup.
    'rebinding.test': nth % 2 === 0 ? [open] : ['127.0.0.1'],
  }
  return all[name]
}

async function listen(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/moved') response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
    else response.writeHead(204).end()
  })
  server.on('connection', ({ localAddress = '' }) => connections[part]?.push(localAddress.replace(/^::ffff:/, '')))
  server.listen(port, '::')
  await once(server, 'listening')
  return server
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
