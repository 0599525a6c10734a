// The installation of a run, on the servers of the private stack: a new database (and a second one, for shards), a thousand
// accounts with one service each, a trunk, prices, keys and a NATS prefix. All of it is deleted at the end.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { Client } from 'pg'
import { nats } from '../scripts/stack/parts/nats.ts'
import { postgres } from '../scripts/stack/parts/postgres.ts'
import { runningServer } from '../scripts/stack/process.ts'
import { readState } from '../scripts/stack/state.ts'
import { createAccount } from '../server/src/actions/accounts/accounts.ts'
import { createService } from '../server/src/actions/accounts/services.ts'
import { migrate } from '../server/src/db/core/migrate.ts'
import { createSlotMap, type SlotMap } from '../server/src/db/core/slot-map.ts'
import { insertPrice } from '../server/src/db/money/tariff.ts'
import { insertCallerRange, putTrunk } from '../server/src/db/trunks/trunk.ts'
import { noCaps } from '../server/src/domain/accounts/service.ts'
import { slotCount, slotsAll } from '../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../server/src/domain/money/money.ts'
import { trunkDefaults } from '../server/src/domain/trunks/trunk.ts'
import { makeMissingSecrets, readSecrets } from '../server/src/process/secrets.ts'
import { discardOldOrders } from './order-stream.ts'

export type BenchEnv = {
  readonly directory: string
  readonly secretsDir: string
  // Of every database: for the application, and for the owner.
  readonly urls: readonly [string, ...string[]]
  readonly ownerUrls: readonly [string, ...string[]]
  readonly natsUrl: string
  readonly prefix: string
  readonly serviceIds: readonly number[]
  readonly bearers: readonly string[]
  readonly postgresPid: number
  readonly natsPid: number
  readonly versions: { readonly postgres: string; readonly nats: string }
  readonly discardOldOrders: () => Promise<void>
  readonly close: () => Promise<void>
}

// Their IDs are 64 to 1063 without gaps, so that pgbench can pick one at random.
export const accountCount = 1_000
export const firstAccount = 64
const accountsAtOnce = 8
export const price = 400_000 as MicroAmount
const balance = 1_000_000_000_000 as MicroAmount

export async function createBenchEnv(accounts = accountCount): Promise<BenchEnv> {
  const stack = await readStack()
  const name = `ringproof_bench_${randomBytes(6).toString('hex')}`
  const others = [`${name}_two`, `${name}_three`]
  const directory = mkdtempSync(join(tmpdir(), 'ringproof-bench-'))
  const secretsDir = join(directory, 'secrets')
  const prefix = name.replaceAll('_', '-')
  const connection = await createNats(stack.natsUrl)
  const manager = await jetstreamManager(connection)
  const close = async () => {
    await dropStreams(manager, prefix)
    await connection.close()
    // Without FORCE: it may not end an autovacuum worker, which a plain DROP does.
    for (const one of [name, ...others]) await sql(stack.ownerUrl, `DROP DATABASE IF EXISTS ${one}`)
    rmSync(directory, { recursive: true })
  }
  try {
    makeMissingSecrets(secretsDir, randomBytes)
    const [url, ownerUrl] = [withDatabase(stack.url, name), withDatabase(stack.ownerUrl, name)]
    await sql(stack.ownerUrl, `CREATE DATABASE ${name}`)
    await migrate(ownerUrl, { waiting: () => undefined, done: () => undefined })
    const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, url])))
    const services = await fill(slots, secretsDir, accounts)
    await slots.close()
    for (const other of others) await sql(stack.ownerUrl, `CREATE DATABASE ${other} TEMPLATE ${name}`)
    return {
      ...stack,
      directory,
      secretsDir,
      prefix,
      ...services,
      urls: [url, ...others.map((other) => withDatabase(stack.url, other))],
      ownerUrls: [ownerUrl, ...others.map((other) => withDatabase(stack.ownerUrl, other))],
      discardOldOrders: () => discardOldOrders(manager, prefix),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export async function sql(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text, values)
    return rows
  } finally {
    await client.end()
  }
}

async function readStack() {
  const state = await readState()
  const [postgresServer, natsServer] = [runningServer(postgres.name), runningServer(nats.name)]
  if (!state || !postgresServer || !natsServer) throw new Error('The private stack is not running: npm run stack -- up')
  const settings = new Map([...postgres.environment(state), ...nats.environment(state)])
  const setting = (name: string) => settings.get(name) ?? ''
  return {
    url: setting('RINGPROOF_DATABASE_URL'),
    ownerUrl: setting('RINGPROOF_DATABASE_OWNER_URL'),
    natsUrl: setting('RINGPROOF_NATS_URL'),
    postgresPid: postgresServer.pid,
    natsPid: natsServer.pid,
    versions: { postgres: await postgres.probe(state), nats: await nats.probe(state) },
  }
}

async function fill(slots: SlotMap, secretsDir: string, accounts: number) {
  const { globalDatabase } = slots
  await putTrunk(globalDatabase, { ...trunkDefaults, name: 'bench', channels: 100_000, callsPerSecond: 100_000 })
  await insertCallerRange(globalDatabase, { trunk: 'bench', country: 'RU', first: 70000000000, last: 70000009999 })
  const flash = { method: 'initCall', mode: 'flash', country: 'RU', price, validFrom: undefined } as const
  await insertPrice(globalDatabase, 'uni', flash)
  const recordKeys = readSecrets(secretsDir)['seal-records']
  const actor = { address: 'bench', userAgent: '', operator: 'bench' }
  const makeOne = async (n: number) => {
    // The slot of an account comes from random bytes; here slots are taken in turn.
    const draw = () => Uint8Array.of(n % slotCount)
    const account = { email: `owner-${n}@example.org`, balance, tariff: 'uni' }
    const accountId = await createAccount({ slots, randomBytes: draw }, actor, account)
    return createService({ slots, recordKeys, randomBytes, newServiceCaps: noCaps }, actor, {
      accountId,
      name: 'Bench',
    })
  }
  const services = []
  for (let n = 0; n < accounts; n += accountsAtOnce) {
    const atOnce = Math.min(accountsAtOnce, accounts - n)
    services.push(...(await Promise.all(Array.from({ length: atOnce }, (_, more) => makeOne(n + more)))))
  }
  return {
    serviceIds: services.map(({ serviceId }) => serviceId),
    bearers: services.map(({ serviceId, key }) => `Bearer ${key}.${serviceId}`),
  }
}

async function createNats(url: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(url)
  return connect({ servers: host, user: username, pass: password })
}

async function dropStreams(manager: JetStreamManager, prefix: string): Promise<void> {
  for (const { config } of await manager.streams.list().next()) {
    if (config.name.includes(prefix)) await manager.streams.delete(config.name)
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
