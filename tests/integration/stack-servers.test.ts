// The private stack meets the requirements of production: recent versions, durable commits, authentication.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { asOwner } from '../support/database/test-database.ts'
import { stackSetting } from '../support/stack-settings.ts'

test('PostgreSQL is 15 or newer, syncs commits, checks its pages and logs no parameter', async () => {
  const { rows } = await asOwner((client) =>
    client.query<{ name: string; setting: string }>('SELECT name, setting FROM pg_settings'),
  )
  const setting = (name: string) => rows.find((row) => row.name === name)?.setting
  assert(Number(setting('server_version_num')) >= 150_000)
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
    assert.equal(setting(name), 'on', name)
  }
  for (const name of ['log_parameter_max_length', 'log_parameter_max_length_on_error']) {
    assert.equal(setting(name), '0', name)
  }
  assert.equal(setting('listen_addresses'), '127.0.0.1')
})

test('NATS is 2.12.3 or newer, has JetStream, and refuses connections without a password', async () => {
  const { hostname, port, username, password } = new URL(stackSetting('RINGPROOF_NATS_URL'))
  assert.equal(hostname, '127.0.0.1')
  const socket = createConnection(Number(port), hostname)
  const lines = createInterface({ input: socket })
  const nextLine = async () => {
    const [line] = (await once(lines, 'line')) as [string]
    return line
  }
  const info = JSON.parse((await nextLine()).replace(/^INFO /, '')) as Record<string, unknown>
  const [major = 0, minor = 0, patch = 0] = String(info['version']).split('.').map(Number)
  assert(major * 1e6 + minor * 1e3 + patch >= 2_012_003, String(info['version']))
  assert.equal(info['jetstream'], true)
  assert.equal(info['auth_required'], true)
  assert.equal(await connectAs(socket, nextLine, { user: username, pass: 'wrong' }), "-ERR 'Authorization Violation'")
  const again = createConnection(Number(port), hostname)
  const linesAgain = createInterface({ input: again })
  const nextAgain = async () => ((await once(linesAgain, 'line')) as [string])[0]
  await nextAgain()
  assert.equal(await connectAs(again, nextAgain, { user: username, pass: password }), 'PONG')
  again.destroy()
  socket.destroy()
})

async function connectAs(
  socket: ReturnType<typeof createConnection>,
  nextLine: () => Promise<string>,
  credentials: { user: string; pass: string },
): Promise<string> {
  const line = nextLine()
  socket.write(`CONNECT ${JSON.stringify({ verbose: false, pedantic: false, ...credentials })}\r\nPING\r\n`)
  return line
}
