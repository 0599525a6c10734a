// PgBouncer, as packaged by Debian, between the server and its database.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { run } from '../../scripts/stack/process.ts'
import { atEnd } from '../support/at-end.ts'
import { pollUntilResolved } from '../support/poll.ts'
import { start } from '../support/process/cli.ts'
import { install, serve } from '../support/process/server.ts'

const installation = await install()
const direct = new URL(installation.database.url)
const stops: (() => void)[] = []
atEnd(async () => {
  for (const stop of stops) stop()
})

// The database URL through a pooler in the given mode.
async function pooled(mode: 'session' | 'transaction' | 'statement', settings = ''): Promise<string> {
  const port = await freePort()
  // PgBouncer's user must be able to read it.
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const [config, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')]
  writeFileSync(users, `"${direct.username}" "${decodeURIComponent(direct.password)}"\n`)
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${direct.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
${settings}`,
  )
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const uid = isRoot ? Number(await run(['id', '-u', 'postgres'])) : undefined
  if (uid !== undefined) for (const path of [directory, config, users]) chownSync(path, uid, uid)
  const child = spawn('pgbouncer', ['--quiet', config], { stdio: 'ignore', ...(uid === undefined ? {} : { uid }) })
  stops.push(() => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true })
  })
  const url = new URL(direct)
  url.port = String(port)
  await listening(port)
  return url.href
}

async function listening(port: number): Promise<void> {
  await pollUntilResolved('the pooler to listen', async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect').finally(() => socket.destroy())
  })
}

// PgBouncer does not know the timeouts that a session starts with; this setting makes it ignore them.
const withoutDeadlines =
  'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout\n'

async function refusedBehind(url: string): Promise<string> {
  const settings = { RINGPROOF_DATABASE_URL: url, RINGPROOF_HTTP_PORT: String(await freePort()) }
  const { status, err } = await start({ ...installation.environment, ...settings }, 'serve', '--roles', 'keeper').ended
  assert.equal(status, 1)
  assert(err.includes(`127.0.0.1:${new URL(url).port} `), err)
  assert(!err.includes(decodeURIComponent(direct.password)))
  assert.match(err, /^[^\n]*RINGPROOF_DATABASE_URL[^\n]*PostgreSQL itself\.\n$/)
  return err
}

test('a pooler in transaction mode is refused at start, with the setting and the fix', {
  timeout: 60_000,
}, async () => {
  for (const [mode, settings] of [
    ['transaction', ''],
    ['transaction', 'server_round_robin = 1\n'],
    ['statement', ''],
  ] as const) {
    const url = await pooled(mode, settings + withoutDeadlines)
    assert.match(await refusedBehind(url), /transaction or statement mode \(pool_mode/)
  }
})

test('a pooler that rejects the timeout parameters is refused at start', { timeout: 60_000 }, async () => {
  assert.match(await refusedBehind(await pooled('session')), /rejects our session timeouts/)
})

test('a pooler in session mode works', { timeout: 60_000 }, async () => {
  await serve(installation, { RINGPROOF_DATABASE_URL: await pooled('session', withoutDeadlines) }, '--roles', 'keeper')
})
