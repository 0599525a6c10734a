// Private PostgreSQL, nats-server and two Asterisks of a run, from the programs of the private stack: killing them
// disturbs nothing else. Everything listens on loopback, on free ports.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { askAri, asteriskCommand, localAsteriskConfig } from '../../scripts/stack/parts/asterisk.ts'
import { natsCommand, natsConfig } from '../../scripts/stack/parts/nats.ts'
import { postgresAccess, postgresConfig, postgresProgram } from '../../scripts/stack/parts/postgres.ts'
import { serverUserCommand } from '../../scripts/stack/parts/postgres-data.ts'
import { freePort as portThatIsFree } from '../../scripts/stack/ports.ts'
import { plainEnvironment, run } from '../../scripts/stack/process.ts'
import { type AsteriskConfig, renderAsteriskConfig } from '../../server/src/telephony/asterisk/config.ts'
import { createChild, type Part } from './child.ts'

export type CrashEnv = {
  readonly directory: string
  readonly logDirectory: string
  readonly freePort: () => Promise<number>
}

export type Postgres = Part & {
  readonly url: (user: 'postgres' | 'ringproof_owner' | 'ringproof_app', database: string) => string
  readonly password: string
  readonly dataDirectory: string
}
export type Nats = Part & { readonly url: string; readonly storeDirectory: string; readonly wipe: () => void }
export type Asterisk = Part & { readonly site: AsteriskConfig }

const onLoopback = { address: '127.0.0.1', launcher: [] }

// No port is given out twice: a server that is down keeps its own.
export function createPorts(): () => Promise<number> {
  const given: number[] = []
  return async () => {
    const port = await portThatIsFree(given)
    given.push(port)
    return port
  }
}

export async function createPostgres(
  { directory, logDirectory, freePort }: CrashEnv,
  // Arguments before the server's own command.
  launcher: readonly string[] = [],
  name = 'postgres',
): Promise<Postgres> {
  const port = await freePort()
  const password = randomBytes(16).toString('hex')
  const home = join(directory, name)
  const dataDirectory = join(home, 'data')
  mkdirSync(dataDirectory, { recursive: true })
  const [configPath, accessPath] = [join(home, 'postgresql.conf'), join(home, 'pg_hba.conf')]
  writeFileSync(configPath, postgresConfig(port), { mode: 0o644 })
  writeFileSync(accessPath, postgresAccess, { mode: 0o644 })
  const passwordPath = join(home, 'password')
  writeFileSync(passwordPath, password, { mode: 0o600 })
  const asServerUser = await serverUserCommand(configPath)
  if (asServerUser.length > 0) {
    const uid = Number(await run(['id', '-u', 'postgres']))
    for (const path of [dataDirectory, passwordPath]) chownSync(path, uid, statSync(path).gid)
  }
  const access = ['--username=postgres', `--pwfile=${passwordPath}`, '--auth=scram-sha-256']
  const shape = ['--encoding=UTF8', '--locale=C', '--no-sync']
  const initdb = [...asServerUser, await postgresProgram('initdb'), '-D', dataDirectory, ...access, ...shape]
  await run(initdb, { env: plainEnvironment })
  const settings = [`config_file=${configPath}`, `hba_file=${accessPath}`].flatMap((setting) => ['-c', setting])
  const url: Postgres['url'] = (user, database) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  const child = createChild({
    name,
    command: [...asServerUser, ...launcher, await postgresProgram('postgres'), '-D', dataDirectory, ...settings],
    environment: { LC_ALL: 'C' },
    logDirectory,
    ask: () => askPostgres(url('postgres', 'postgres')),
    closeSignal: 'SIGINT',
  })
  const stop = [...asServerUser, await postgresProgram('pg_ctl'), '-D', dataDirectory, 'stop', '-m', 'immediate', '-w']
  return {
    ...child,
    // Like a power cut: nothing is flushed, and the next start replays the log.
    kill: async () => {
      await run(stop, { env: plainEnvironment })
      await child.kill()
    },
    url,
    password,
    dataDirectory,
  }
}

export async function createNats({ directory, logDirectory, freePort }: CrashEnv): Promise<Nats> {
  const port = await freePort()
  const password = randomBytes(16).toString('hex')
  const home = join(directory, 'nats')
  const storeDirectory = join(home, 'store')
  mkdirSync(storeDirectory, { recursive: true, mode: 0o700 })
  const configPath = join(home, 'nats-server.conf')
  writeFileSync(configPath, natsConfig(port, password, storeDirectory), { mode: 0o600 })
  const child = createChild({
    name: 'nats',
    command: natsCommand(configPath),
    environment: {},
    logDirectory,
    ask: () => askPort(port),
    closeSignal: 'SIGTERM',
  })
  let wipes = 0
  return {
    ...child,
    url: `nats://ringproof:${password}@127.0.0.1:${port}`,
    storeDirectory: home,
    // Gone for the server; kept aside, because it must not contain a number.
    wipe: () => {
      wipes += 1
      renameSync(storeDirectory, join(home, `wiped-${wipes}`))
      mkdirSync(storeDirectory, { mode: 0o700 })
    },
  }
}

export async function createAsterisk(
  { directory, logDirectory, freePort }: CrashEnv,
  nth: number,
  { address, launcher }: { readonly address: string; readonly launcher: readonly string[] } = onLoopback,
): Promise<Asterisk> {
  const [ariPort, sipPort, sipTlsPort, hepPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const ariPassword = randomBytes(16).toString('hex')
  const name = `asterisk-${nth}`
  const place = {
    directory: join(directory, name),
    node: `node-${nth}`,
    ariPort,
    sipPort,
    sipTlsPort,
    hepPort,
    ariPassword,
  }
  const site = { ...localAsteriskConfig(place), ariHost: address, sipHost: address }
  const child = createChild({
    name,
    command: [...launcher, ...asteriskCommand(renderAsteriskConfig(site))],
    environment: {},
    logDirectory,
    ask: () => askAri(ariPort, ariPassword, address),
    closeSignal: 'SIGTERM',
  })
  return { ...child, site }
}

async function askPostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => undefined)
  await client.connect()
  await client.end()
}

async function askPort(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
