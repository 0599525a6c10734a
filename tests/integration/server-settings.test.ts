// PostgreSQL settings that may lose calls or log phone numbers, and a debugger opened by a signal.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { freePort } from '../../scripts/stack/ports.ts'
import { createPrivatePostgres } from '../support/database/private-postgres.ts'
import { poll } from '../support/poll.ts'
import { start } from '../support/process/cli.ts'
import { install, serveProcess } from '../support/process/server.ts'

const own = await createPrivatePostgres()
const installation = await install(1, own)
const { host, pathname } = new URL(own.url)
const database = pathname.slice(1)

test('a PostgreSQL that may lose commits is refused, with the setting and the fix', {
  timeout: 60_000,
}, async () => {
  for (const [name, change, back] of [
    [
      'synchronous_commit',
      `ALTER ROLE ringproof_app SET synchronous_commit = off`,
      `ALTER ROLE ringproof_app RESET ALL`,
    ],
    ['fsync', 'ALTER SYSTEM SET fsync = off', 'ALTER SYSTEM RESET fsync'],
    ['full_page_writes', 'ALTER SYSTEM SET full_page_writes = off', 'ALTER SYSTEM RESET full_page_writes'],
  ] as const) {
    await run(change)
    await untilSet(name, 'off')
    const environment = { ...installation.environment, RINGPROOF_METRICS_PORT: String(await freePort()) }
    const { status, err } = await start(environment, 'serve', '--roles', 'keeper').ended
    assert.equal(status, 1, name)
    assert(err.startsWith(`The database at ${host} has ${name} = off: `), err)
    assert(err.includes(` Set ${name} = on `), err)
    await run(back)
    await untilSet(name, 'on')
  }
})

test('a PostgreSQL that logs parameters causes a warning', { timeout: 60_000 }, async () => {
  assert.doesNotMatch((await keeper()).output(), /log_parameter/)
  await run(`ALTER DATABASE ${database} SET log_parameter_max_length = -1`)
  // Without statements in the log there are no parameters.
  assert.doesNotMatch((await keeper()).output(), /log_parameter/)
  for (const setting of ["log_statement = 'mod'", 'log_min_duration_statement = 1000']) {
    await run(`ALTER DATABASE ${database} SET ${setting}`)
    assert.match(
      (await keeper()).output(),
      /"level":"warn".* has log_parameter_max_length = -1: .*log_parameter_max_length = 0/,
    )
    await run(`ALTER DATABASE ${database} RESET ${setting.split(' ')[0]}`)
  }
  await run(`ALTER DATABASE ${database} SET log_parameter_max_length_on_error = 64`)
  assert.match((await keeper()).output(), /has log_parameter_max_length_on_error = 64: /)
})

test('the debugger signal opens no debugger', { timeout: 60_000 }, async () => {
  await run(`ALTER DATABASE ${database} RESET ALL`)
  const { running, metrics, output } = await keeper()
  running.process.kill('SIGUSR1')
  for (let n = 0; n < 20; n++) assert.equal((await fetch(metrics)).status, 200)
  running.process.kill('SIGTERM')
  assert.equal((await running.ended).status, 0)
  assert.doesNotMatch(output(), /Debugger listening/)
})

async function keeper() {
  return serveProcess(installation, {}, '--roles', 'keeper')
}

async function run(statement: string): Promise<void> {
  const client = new Client({ connectionString: own.superuserUrl })
  await client.connect()
  await client.query(statement)
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}

// The server reloads its files after a while, and a new session starts with what it read.
async function untilSet(name: string, value: string): Promise<void> {
  const read = async () => {
    const client = new Client({ connectionString: own.url })
    await client.connect()
    const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
    await client.end()
    return rows[0]?.value
  }
  await poll(`${name} to be ${value}`, read, (current) => current === value)
}
