// PgBouncer, as packaged by Debian, in front of a database; stopped after the tests of the file.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../scripts/stack/ports.ts'
import { run } from '../../../scripts/stack/process.ts'
import { atEnd } from '../at-end.ts'
import { pollUntilResolved } from '../poll.ts'

// The database URL through a pooler in the given mode.
export async function pooled(
  databaseUrl: string,
  mode: 'session' | 'transaction' | 'statement',
  settings = '',
): Promise<string> {
  const direct = new URL(databaseUrl)
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
  atEnd(async () => {
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
export const withoutDeadlines =
  'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout\n'
