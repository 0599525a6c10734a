// A database URL with two hosts: a primary, and a standby that is promoted when the primary is frozen or killed. Real servers;
// the standby is a copy of the primary's files.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { Client } from 'pg'
import { postgresProgram } from '../../scripts/stack/parts/postgres.ts'
import { serverUserCommand } from '../../scripts/stack/parts/postgres-data.ts'
import { run } from '../../scripts/stack/process.ts'
import { connect, type Database, jobDeadlines, nameOf } from '../../server/src/db/core/database.ts'
import { createPorts, createPostgres, type Postgres } from '../crash/servers.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'

const directory = mkdtempSync(join(tmpdir(), 'ringproof-primary-'))
// PostgreSQL does not run as root.
chmodSync(directory, 0o755)
atEnd(async () => rmSync(directory, { recursive: true }))
const env = { directory, logDirectory: directory, freePort: createPorts() }
const first = await createPostgres(env, [], 'first')
const second = await createPostgres(env, [], 'second')
const [firstPort, secondPort] = [first, second].map(portOf) as [number, number]
const url = `postgres://postgres:${first.password}@127.0.0.1:${firstPort},127.0.0.1:${secondPort}/postgres`
for (const server of [first, second]) atEnd(() => server.close())

before(async () => {
  first.start()
  await first.ready()
  await first.close()
  rmSync(second.dataDirectory, { recursive: true })
  execFileSync('cp', ['-a', first.dataDirectory, second.dataDirectory])
  writeFileSync(join(second.dataDirectory, 'standby.signal'), '')
  first.start()
  second.start()
  await first.ready()
  await poll('the standby to respond', async () => (await portOn(secondPort)) === secondPort)
})

test('new connections go to the primary, whichever host is named first', async () => {
  const [one, swapped] = [open(url), open(swappedUrl())]
  assert.equal(nameOf(one), `127.0.0.1:${firstPort},127.0.0.1:${secondPort}/postgres`)
  for (const database of [one, swapped]) {
    const ports = await Promise.all(Array.from({ length: 12 }, () => servedBy(database)))
    assert.deepEqual([...new Set(ports)], [firstPort])
  }
})

test('the primary is frozen and the standby promoted: hanging sessions are destroyed, and calls go on there', async () => {
  const [requests, jobs] = [open(url), connect(url, jobDeadlines)]
  atEnd(() => jobs.end())
  await Promise.all([servedBy(requests), servedBy(jobs)])
  const pids = frozen(first)
  // Its own deadline is ten minutes.
  const hanging = assert.rejects(jobs.query('SELECT 1'), /Connection terminated unexpectedly/)
  const lost = assert.rejects(servedBy(requests), /Query read timeout/)
  await promote(second)
  await Promise.all([lost, hanging])
  assert.equal(await poll('a response', () => servedBy(requests).catch(() => 0)), secondPort)
  for (const pid of pids) process.kill(pid, 'SIGCONT')
})

test('of two that call themselves the primary, the one with the later timeline is used', async () => {
  assert.equal(await portOn(firstPort), firstPort)
  const ports = await Promise.all(Array.from({ length: 12 }, () => servedBy(open(`${url}?application_name=later`))))
  assert.deepEqual([...new Set(ports)], [secondPort])
})

test('no primary: a query fails within the time of a connect, and names the hosts', async () => {
  const database = open(`${url}?application_name=none`)
  await Promise.all([first.kill(), second.kill()])
  const startedMs = performance.now()
  await assert.rejects(servedBy(database), (error: Error) => error.message.includes(`127.0.0.1:${secondPort}`))
  assert.ok(performance.now() - startedMs < 10_000)
  second.start()
  assert.equal(await poll('a response', () => servedBy(database).catch(() => 0)), secondPort)
})

function open(at: string): Database {
  const database = connect(at)
  atEnd(() => database.end())
  return database
}

function swappedUrl(): string {
  return `postgres://postgres:${first.password}@127.0.0.1:${secondPort},127.0.0.1:${firstPort}/postgres`
}

function portOf(server: Postgres): number {
  return Number(new URL(server.url('postgres', 'postgres')).port)
}

const portSql = 'SELECT inet_server_port() AS port'

async function servedBy(database: Database): Promise<number> {
  const { rows } = await database.query<{ port: number }>(portSql)
  return rows[0]?.port ?? 0
}

async function portOn(port: number): Promise<number> {
  const client = new Client(`postgres://postgres:${first.password}@127.0.0.1:${port}/postgres`)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<{ port: number }>(portSql)).rows[0]?.port ?? 0
  } catch {
    return 0
  } finally {
    await client.end()
  }
}

async function promote(server: Postgres): Promise<void> {
  const asServerUser = await serverUserCommand(join(server.dataDirectory, '../postgresql.conf'))
  await run([...asServerUser, await postgresProgram('pg_ctl'), 'promote', '-w', '-D', server.dataDirectory])
}

// The postmaster and all sessions, as when the machine stands still.
function frozen(server: Postgres): readonly number[] {
  const postmaster = Number(readFileSync(join(server.dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0])
  const sessions = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  const pids = [postmaster, ...sessions.trim().split(/\s+/).map(Number)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return pids
}
