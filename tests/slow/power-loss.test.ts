// Power loss: what PostgreSQL and JetStream acknowledged as stored must survive, although neither had time to write
// anything more.
//
// A killed process is no power loss, because the kernel still writes what the process handed to it. So the data of both
// servers is in a file system inside a file, which writes back only every ten minutes. Under load both servers are
// frozen and that file is copied: the copy has what was synced to disk, and nothing that was only in memory. The
// servers then continue from the copy.
//
// Needs root to mount, and the programs that the stack has installed.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { Client } from 'pg'
import { processesIn } from '../../scripts/stack/process.ts'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { slotsAll } from '../../server/src/domain/core/slot.ts'
import { createChild, type Part } from '../crash/child.ts'
import { asUser, type Installation, install, natsPrefix } from '../crash/installation.ts'
import { type CrashEnv, createNats, createPorts, createPostgres, type Nats } from '../crash/servers.ts'
import { poll } from '../support/poll.ts'

const clients = 40
const answeredMin = 1_500
const answeredMax = 3_000
const loadMs = 60_000
const endMs = 90_000
const program = join(import.meta.dirname, '../../server/bin/ringproof.js')

test('power loss under load: nothing that was acknowledged is lost, and the ledger is consistent', async (t) => {
  const after = await pullThePlug(t, {})
  assert.deepEqual(after.lostRows, [])
  assert.deepEqual(after.lostMessages, [])
  assert.deepEqual(after.faults, [])
  t.diagnostic(`${after.answered} answered, 0 lost by PostgreSQL, 0 by JetStream; ${after.made} calls made afterwards`)
})

test('a PostgreSQL that acknowledges before it syncs loses calls', async (t) => {
  const { answered, lostRows } = await pullThePlug(t, {
    postgres: 'synchronous_commit = off\nwal_writer_delay = 10s\n',
  })
  assert(lostRows.length > 0)
  t.diagnostic(`${lostRows.length} of ${answered} lost`)
})

test('a JetStream that acknowledges before it syncs loses calls', async (t) => {
  const { answered, lostMessages } = await pullThePlug(t, { natsSync: '2m' })
  assert(lostMessages.length > 0)
  t.diagnostic(`${lostMessages.length} of ${answered} lost`)
})

type Mutation = { readonly postgres?: string; readonly natsSync?: string }
type Aftermath = {
  readonly answered: number
  readonly lostRows: readonly number[]
  readonly lostMessages: readonly number[]
  // Of the ledger, once all calls have ended.
  readonly faults: readonly string[]
  readonly made: number
}

async function pullThePlug(t: TestContext, mutation: Mutation): Promise<Aftermath> {
  const disk = openDisk()
  const env: CrashEnv = { directory: disk.place, logDirectory: disk.logs, freePort: createPorts() }
  const postgres = await createPostgres(env)
  const nats = await createNats(env)
  const endPostgres = async () => {
    signalAll(postgres.dataDirectory, 'SIGKILL')
    await postgres.gone()
    // Its children end a moment later, and hold the disk until then.
    await poll('the processes of PostgreSQL to end', () => processesIn(postgres.dataDirectory).length === 0)
  }
  const products: Part[] = []
  t.after(async () => {
    await Promise.all([...products, nats].map((part) => part.kill()))
    await endPostgres()
    disk.close()
  })
  applyMutation(disk.place, mutation)
  await startAll([postgres, nats])
  const servers = { databases: [postgres], nats, asterisks: [] }
  const installation = await install(env, servers, program, 1, ['127.0.0.1:9', '127.0.0.1:9'])
  await asUser(installation.ownerUrls[0] ?? '', ['UPDATE trunks SET channels = 5000, calls_per_second = 1000'])
  // Only what happens under load matters.
  execFileSync('sync', ['--file-system', disk.place])

  const api = await createProduct(env, installation, 'api')
  products.push(api.part)
  // Not earlier: the server refuses to start with such a PostgreSQL.
  const restore = await plantIntoPostgres(disk.place, postgres.url('postgres', 'postgres'), mutation)
  const answered = await loadUntil(installation, api.base, randomInt(answeredMin, answeredMax), async () => {
    signalAll(postgres.dataDirectory, 'SIGSTOP')
    nats.freeze()
    disk.copy()
    await Promise.all([endPostgres(), nats.kill(), api.part.kill()])
    disk.exchange()
  })
  restore()

  await startAll([postgres, nats])
  const stored = await rowsIn(installation)
  const dispatched = await messagesIn(nats)
  const product = await createProduct(env, installation, 'calls,keeper')
  products.push(product.part)
  return {
    answered: answered.length,
    lostRows: answered.filter((id) => !stored.has(id)),
    lostMessages: answered.filter((id) => !dispatched.has(id)),
    ...(await comeToAnEnd(installation)),
  }
}

async function startAll(servers: readonly Part[]): Promise<void> {
  for (const server of servers) server.start()
  await Promise.all(servers.map((server) => server.ready()))
}

// Also those that the first process started: each works in the data directory.
function signalAll(directory: string, signal: NodeJS.Signals): void {
  for (const pid of processesIn(directory)) {
    try {
      process.kill(pid, signal)
    } catch {
      // Gone meanwhile: the others end with the first process.
    }
  }
}

async function plantIntoPostgres(place: string, url: string, { postgres = '' }: Mutation): Promise<() => void> {
  const path = join(place, 'postgres/postgresql.conf')
  const config = readFileSync(path, 'utf8')
  appendFileSync(path, postgres)
  await asUser(url, ['SELECT pg_reload_conf()'])
  return () => writeFileSync(path, config)
}

function applyMutation(place: string, { natsSync = 'always' }: Mutation): void {
  const natsPath = join(place, 'nats/nats-server.conf')
  const config = readFileSync(natsPath, 'utf8')
  assert.match(config, /sync_interval: always/)
  writeFileSync(natsPath, config.replace('sync_interval: always', `sync_interval: ${natsSync}`))
}

async function createProduct(
  { logDirectory, freePort }: CrashEnv,
  { environment }: Installation,
  roles: string,
): Promise<{ readonly part: Part; readonly base: string }> {
  const port = await freePort()
  const part = createChild({
    name: `product-${roles.replace(',', '-')}`,
    command: [process.execPath, program, 'serve', '--roles', roles],
    environment: {
      ...environment,
      RINGPROOF_SWITCH: 'fake',
      RINGPROOF_HTTP_PORT: String(port),
    },
    logDirectory,
    ask: async (logPath) => assert.match(readFileSync(logPath, 'utf8'), /"msg":"ready"/),
    closeSignal: 'SIGTERM',
  })
  await startAll([part])
  return { part, base: `http://127.0.0.1:${port}` }
}

// The IDs of all calls acknowledged before the cut began.
async function loadUntil(
  { services }: Installation,
  base: string,
  count: number,
  cut: () => Promise<void>,
): Promise<readonly number[]> {
  const { key, serviceId } = services.red
  const headers = { authorization: `Bearer ${key}.${serviceId}`, 'content-type': 'application/json' }
  const answered: number[] = []
  const enough = Promise.withResolvers<void>()
  let next = 0
  const cutting = new AbortController()
  const client = async () => {
    while (!cutting.signal.aborted) {
      const body = JSON.stringify({ phone: `7907${String(next++).padStart(4, '0')}180` })
      // A client that got no response was promised nothing.
      const response = await fetch(`${base}/v1.0/initCall`, { method: 'POST', headers, body }).catch(() => undefined)
      if (cutting.signal.aborted || response?.status !== 200) continue
      const { vendor_id: id } = (await response.json()) as { vendor_id: number }
      if (cutting.signal.aborted) break
      answered.push(id)
      if (answered.length === count) enough.resolve()
    }
  }
  const all = Array.from({ length: clients }, client)
  await Promise.race([enough.promise, sleep(loadMs, undefined, { ref: false })])
  cutting.abort()
  await cut()
  await Promise.all(all)
  assert(answered.length >= answeredMin, `only ${answered.length} were answered`)
  return answered
}

async function rowsIn({ ownerUrls: [ownerUrl = ''] }: Installation): Promise<ReadonlySet<number>> {
  const rows = await ask<{ id: string }>(ownerUrl, 'SELECT id FROM verifications')
  return new Set(rows.map(({ id }) => Number(id)))
}

async function messagesIn({ url }: Nats): Promise<ReadonlySet<number>> {
  const { host, username, password } = new URL(url)
  const connection = await connect({ servers: host, user: username, pass: password })
  try {
    const { streams } = await jetstreamManager(connection)
    const ids = new Set<number>()
    for (const { config, state } of await streams.list().next()) {
      if (!config.name.startsWith(`${natsPrefix}-calls`)) continue
      for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
        const message = await streams.getMessage(config.name, { seq })
        if (message) ids.add(message.json<{ id: number }>().id)
      }
    }
    return ids
  } finally {
    await connection.close()
  }
}

// Every call succeeded or was released, and the ledger is consistent.
async function comeToAnEnd({
  ownerUrls: [ownerUrl = ''],
  environment,
}: Installation): Promise<{ readonly faults: readonly string[]; readonly made: number }> {
  const read = () =>
    ask<{ open: number; made: number }>(
      ownerUrl,
      `SELECT count(*) FILTER (WHERE state NOT IN ('succeeded', 'failed'))::integer AS open,
         count(*) FILTER (WHERE state = 'succeeded')::integer AS made FROM verifications`,
    )
  const options = { timeoutMs: endMs, intervalMs: 200 }
  const [counts] = await poll('every call to end', read, ([row]) => row?.open === 0, options)
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, environment['RINGPROOF_DATABASE_URL'] ?? ''])))
  const { faults } = await auditLedger({ slots })
  await slots.close()
  return { faults, made: counts?.made ?? 0 }
}

async function ask<T>(url: string, text: string): Promise<readonly T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T & Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

type Disk = {
  readonly place: string
  readonly logs: string
  readonly copy: () => void
  readonly exchange: () => void
  readonly close: () => void
}

function openDisk(): Disk {
  const directory = mkdtempSync(join(tmpdir(), 'ringproof-plug-'))
  const [image, copied, place, logs] = ['disk', 'copy', 'place', 'logs'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const path of [place, logs]) mkdirSync(path)
  execFileSync('truncate', ['--size=2G', image])
  execFileSync('mkfs.ext4', ['-q', '-F', image])
  const mount = (path: string) => execFileSync('mount', ['-o', 'loop,commit=600', path, place])
  mount(image)
  return {
    place,
    logs,
    copy: () => execFileSync('cp', ['--sparse=always', image, copied]),
    exchange: () => {
      execFileSync('umount', [place])
      mount(copied)
    },
    close: () => {
      execFileSync('umount', [place])
      rmSync(directory, { recursive: true })
    },
  }
}
