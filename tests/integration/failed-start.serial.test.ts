// A start that fails exits within five seconds of the time a good start takes on this machine, prints its cause without a stack trace and leaves nothing running.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { atEnd } from '../support/at-end.ts'
import { start } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'

const exitMs = 5_000
const installation = await installPhones(1)
const { environment, database } = installation
const startMs = performance.now()
await serveProcess(installation)
const readyMs = performance.now() - startMs
const [taken, silent] = [await listen(), await listen()]
const empty = mkdtempSync(join(tmpdir(), 'ringproof-empty-'))
atEnd(async () => rmSync(empty, { recursive: true }))

for (const [what, settings, sentence] of [
  ['a taken port', { RINGPROOF_HTTP_PORT: String(taken) }, /^Port \d+ of 127\.0\.0\.1 is in use/],
  ['a taken metrics port', { RINGPROOF_METRICS_PORT: String(taken) }, /^Port \d+ of 127\.0\.0\.1 is in use/],
  [
    'a port for requests and metrics',
    { RINGPROOF_METRICS_PORT: '18099', RINGPROOF_HTTP_PORT: '18099' },
    /^Port 18099 of 127\.0\.0\.1 is in use/,
  ],
  ['a database that is down', { RINGPROOF_DATABASE_URL: at(await freePort()) }, /^Cannot connect to the database: /],
  ['a database that does not respond', { RINGPROOF_DATABASE_URL: at(silent) }, /^Cannot connect to the database: /],
  ['a database without migrations', { RINGPROOF_DATABASE_URL: emptyDatabase() }, /ringproof migrate/],
  ['secrets that do not exist', { RINGPROOF_SECRETS_DIR: empty }, /there is no key .* `ringproof setup`/s],
  ['NATS that is down', { RINGPROOF_NATS_URL: `nats://127.0.0.1:${await freePort()}` }, /NATS/],
] as const) {
  test(`${what}: the cause, within five seconds`, async (t) => {
    const ports = { RINGPROOF_HTTP_PORT: String(await freePort()), RINGPROOF_METRICS_PORT: String(await freePort()) }
    const startedMs = performance.now()
    const { status, err } = await start({ ...environment, ...ports, ...settings }, 'serve').ended
    const ms = performance.now() - startedMs
    assert.equal(status, 1)
    assert.match(err, sentence)
    assert.doesNotMatch(err, /^ +at /m)
    t.diagnostic(`exit after ${Math.round(ms)} ms; a good start takes ${Math.round(readyMs)} ms`)
    assert(ms < readyMs + exitMs)
  })
}

async function listen(): Promise<number> {
  const server: Server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => void server.close())
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  return address.port
}

function at(port: number): string {
  const url = new URL(database.url)
  url.port = String(port)
  return url.href
}

// The database every server has.
function emptyDatabase(): string {
  const url = new URL(database.url)
  url.pathname = '/postgres'
  return url.href
}
