// Several processes of the role api on one port: the kernel spreads connections over them.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { start } from '../support/process/cli.ts'
import { install, makeService, serveProcess } from '../support/process/server.ts'

const installation = await install()
const [port, altPort] = await Promise.all([freePort(), freePort()])
const ports = { RINGPROOF_HTTP_PORT: String(port), RINGPROOF_HTTP_ALT_PORT: String(altPort) }
const shared = { ...ports, RINGPROOF_HTTP_SHARED: 'yes' }
const service = await makeService(installation)
const processes = [
  await serveProcess(installation, shared, '--roles', 'api'),
  await serveProcess(installation, shared, '--roles', 'api'),
]

test('two processes with RINGPROOF_HTTP_SHARED=yes both take connections of one port', async () => {
  const ids = await Promise.all(Array.from({ length: 100 }, ask))
  for (const { output } of processes) assert(ids.some((id) => output().includes(id)))
})

test('after one of them has stopped the other one takes every connection', async () => {
  const [first] = processes
  first?.running.process.kill('SIGTERM')
  await first?.running.ended
  await Promise.all(Array.from({ length: 100 }, ask))
})

test('a process that does not share the port finds it taken', async () => {
  const settings = { ...installation.environment, ...ports, RINGPROOF_METRICS_PORT: String(await freePort()) }
  const { status, err } = await start(settings, 'serve', '--roles', 'api').ended
  assert.equal(status, 1)
  assert.match(err, /is in use by another program/)
})

// On a new connection. Returns the ID of the request.
async function ask(): Promise<string> {
  const sent = get(`http://127.0.0.1:${port}/v1.0/getBalance`, { agent: false, headers: service.bearer })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  assert.equal(response.statusCode, 200)
  return String(response.headers['x-request-id'])
}
