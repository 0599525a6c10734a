// etcd, PostgreSQL under Patroni and NATS on each of three machines, with the files of deploy/ha.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { natsCommand } from '../../scripts/stack/parts/nats.ts'
import { postgresProgram } from '../../scripts/stack/parts/postgres.ts'
import { patroniCommand } from '../../scripts/stack/patroni.ts'
import { run } from '../../scripts/stack/process.ts'
import { createChild, type Part } from '../crash/child.ts'
import { poll } from '../support/poll.ts'
import type { Defer, Host } from './hosts.ts'

export type Machine = Host & {
  readonly etcd: Part
  readonly patroni: Part
  readonly nats: Part
  // Holds the files of all three.
  readonly home: string
  readonly dataDirectory: string
  readonly natsStore: string
  readonly killPostmaster: () => void
}

type Member = { readonly name: string; readonly role: string; readonly state: string }

export type Cluster = {
  readonly machines: readonly Machine[]
  readonly databaseUrl: (user: string, password: string, database: string) => string
  readonly natsUrl: string
  readonly directory: string
  // Resolves when one is the primary, one its synchronous standby, and all three run.
  readonly whole: () => Promise<{ readonly primary: Machine; readonly standby: Machine }>
  readonly switchOver: (from: Machine, to: Machine) => Promise<void>
  readonly streamLeader: (stream: string) => Promise<Machine>
  // Starts HAProxy on this machine; returns the URL of a database behind it.
  readonly startProxy: () => Promise<Cluster['databaseUrl']>
  // Moves the leader of a stream to a machine.
  readonly leadFrom: (stream: string, machine: Machine) => Promise<void>
}

const repository = join(import.meta.dirname, '../..')
const passwords = {
  // The longer name first: it has the shorter one in it.
  ETCD_ROOT_PASSWORD: 'etcd-root-password',
  ETCD_PASSWORD: 'etcd-password',
  RESTAPI_PASSWORD: 'restapi-password',
  REPLICATION_PASSWORD: 'replication-password',
  SUPERUSER_PASSWORD: 'superuser-password',
  REWIND_PASSWORD: 'rewind-password',
  CLIENT_PASSWORD: 'client-password',
  ROUTE_PASSWORD: 'route-password',
}
export const superuserPassword = passwords.SUPERUSER_PASSWORD
export const { ETCD_PASSWORD: etcdPassword, RESTAPI_PASSWORD: restPassword } = passwords
export const replicationPassword = passwords.REPLICATION_PASSWORD
const wholeMs = 120_000
const membersMs = 2_000

export async function createCluster(
  hosts: readonly Host[],
  defer: Defer,
  // Called for the empty home of each machine: a test may mount a disk there.
  prepareHome: (home: string) => void = () => undefined,
): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'ringproof-ha-'))
  chmodSync(directory, 0o755)
  mkdirSync(join(directory, 'logs'))
  defer(async () => rmSync(directory, { recursive: true }))
  const programs = join(await postgresProgram('postgres'), '..')
  const machines = hosts.map((host) => {
    const home = join(directory, host.name)
    mkdirSync(home)
    prepareHome(home)
    return createMachine(host, directory, programs)
  })
  const parts = machines.flatMap(({ patroni, nats, etcd }) => [patroni, nats, etcd])
  defer(async () => {
    for (const part of parts) await part.close()
  })
  for (const { etcd, nats } of machines) {
    etcd.start()
    nats.start()
  }
  await makeEtcdUsers(machines, directory)
  for (const { patroni } of machines) patroni.start()
  const cluster = clusterOf(machines, directory, defer)
  await cluster.whole()
  return cluster
}

function clusterOf(machines: readonly Machine[], directory: string, defer: Defer): Cluster {
  const control = join(directory, 'host1', 'patroni.yml')
  const named = (name: string | undefined) => machines.find((machine) => machine.name === name)
  const withRole = (listed: readonly Member[], role: string) =>
    named(listed.find((member) => member.role === role && isUp(member))?.name)
  const whole: Cluster['whole'] = async () => {
    const read = async () => {
      const listed = await membersOf(machines).catch(() => [])
      const [primary, standby] = [withRole(listed, 'leader'), withRole(listed, 'sync_standby')]
      const areUp = listed.filter(isUp).length === machines.length
      return primary && standby && areUp ? { primary, standby } : undefined
    }
    return poll('the cluster to be whole', read, (found) => found !== undefined, {
      timeoutMs: wholeMs,
      intervalMs: 500,
    }) as Promise<{ primary: Machine; standby: Machine }>
  }
  const urls = machines.map(({ address }) => `nats://ringproof:${passwords.CLIENT_PASSWORD}@${address}:4222`)
  const streamLeader = async (stream: string): Promise<Machine> => {
    const leader = await withManager(machines, async (manager) => (await manager.streams.info(stream)).cluster?.leader)
    const machine = named(leader)
    if (!machine) throw new Error(`${stream} has no leader`)
    return machine
  }
  return {
    machines,
    databaseUrl: (user, password, database) =>
      `postgres://${user}:${password}@${machines.map(({ address }) => `${address}:5432`).join(',')}/${database}`,
    natsUrl: urls.join(','),
    directory,
    whole,
    switchOver: async (from, to) => {
      const names = ['--primary', from.name, '--candidate', to.name]
      // On a machine: Patroni takes no command from elsewhere.
      const command = [...patroniCommand('patronictl'), '-c', control, 'switchover', ...names, '--force']
      await run([...from.launcher, ...command])
    },
    streamLeader,
    startProxy: () => startProxy(directory, defer),
    leadFrom: async (stream, machine) => {
      await poll(
        `${stream} to be led by ${machine.name}`,
        async () => {
          if ((await streamLeader(stream)) === machine) return true
          const placement = JSON.stringify({ placement: { preferred: machine.name } })
          await withConnection(machines, (connection) =>
            connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, placement),
          )
          return false
        },
        Boolean,
        { intervalMs: 1_000 },
      )
    },
  }
}

// As the guide says, as soon as all three answer.
async function makeEtcdUsers(machines: readonly Machine[], directory: string): Promise<void> {
  const areHealthy = async () => {
    const answers = machines.map(({ address }) => fetch(`http://${address}:2379/health`).then((one) => one.json()))
    return (await Promise.all(answers)).every((one) => (one as { readonly health?: string }).health === 'true')
  }
  await poll('etcd to be healthy', () => areHealthy().catch(() => false), Boolean, { timeoutMs: wholeMs })
  const file = join(directory, 'etcd-users.sh')
  writeFileSync(file, deployed('etcd-users.sh', []))
  await run(['sh', file])
}

// From Patroni's own port: starting patronictl takes most of a second of CPU.
async function membersOf(machines: readonly Machine[]): Promise<readonly Member[]> {
  return Promise.any(
    machines.map(async ({ address }) => {
      const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(membersMs) })
      return ((await response.json()) as { readonly members: readonly Member[] }).members
    }),
  )
}

function isUp({ state }: Member): boolean {
  return state === 'running' || state === 'streaming'
}

function createMachine(host: Host, directory: string, programs: string): Machine {
  const home = join(directory, host.name)
  const asPostgres = [...host.launcher, 'setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
  const file = (name: string, changes: readonly (readonly [string, string])[]): string => {
    const path = join(home, name)
    writeFileSync(path, deployed(name, [['SELF', host.address], ['NAME', host.name], ...changes]), { mode: 0o644 })
    return path
  }
  const folder = (name: string): string => {
    const path = join(home, name)
    mkdirSync(path, { mode: 0o700 })
    execFileSync('chown', ['postgres:postgres', path])
    return path
  }
  const data = join(folder('postgres'), 'data')
  const child = (name: string, command: readonly string[]): Part =>
    createChild({
      name: `${host.name}-${name}`,
      command: [...asPostgres, ...command],
      environment: { LC_ALL: 'C.UTF-8' },
      logDirectory: join(directory, 'logs'),
      ask: async () => undefined,
      closeSignal: 'SIGTERM',
      // Started again when it ends by itself, as systemd does.
      died: () => undefined,
    })
  const etcdFile = file('etcd.yml', [['/var/lib/etcd/ringproof', folder('etcd')]])
  const natsStore = folder('nats')
  const natsFile = file('nats.conf', [['/var/lib/nats', natsStore]])
  const patroniFile = file('patroni.yml', [
    ['/var/lib/postgresql/ringproof/data', data],
    ['/var/lib/postgresql/ringproof/pgpass', join(home, 'postgres', 'pgpass')],
    ['/usr/lib/postgresql/15/bin', programs],
    ['/var/run/postgresql', join(home, 'postgres')],
    ['mode: automatic', 'mode: off'],
  ])
  return {
    ...host,
    etcd: child('etcd', ['etcd', '--config-file', etcdFile]),
    patroni: child('patroni', [...patroniCommand('patroni'), patroniFile]),
    nats: child('nats', natsCommand(natsFile)),
    home,
    dataDirectory: data,
    natsStore,
    killPostmaster: () => {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
  }
}

async function startProxy(directory: string, defer: Defer): Promise<Cluster['databaseUrl']> {
  const file = join(directory, 'haproxy.cfg')
  writeFileSync(file, deployed('haproxy.cfg', []))
  const proxy = createChild({
    name: 'haproxy',
    command: ['haproxy', '-db', '-f', file],
    environment: {},
    logDirectory: join(directory, 'logs'),
    ask: async () => undefined,
    closeSignal: 'SIGTERM',
  })
  proxy.start()
  defer(() => proxy.close())
  return (user, password, database) => `postgres://${user}:${password}@127.0.0.1:5000/${database}`
}

// A file of deploy/ha with the addresses and passwords of this run.
function deployed(name: string, changes: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(repository, 'deploy/ha', name), 'utf8')
  const all = [...Object.entries(passwords), ['10.0.0.', '10.77.0.'], ...changes] as const
  for (const [from, to] of all) text = text.replaceAll(from, to)
  return text
}

async function withConnection<T>(
  machines: readonly Machine[],
  work: (connection: Awaited<ReturnType<typeof connect>>) => Promise<T>,
): Promise<T> {
  const servers = machines.map(({ address }) => `${address}:4222`)
  const connection = await connect({ servers, user: 'ringproof', pass: passwords.CLIENT_PASSWORD, timeout: 2_000 })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

function withManager<T>(
  machines: readonly Machine[],
  work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>,
): Promise<T> {
  return withConnection(machines, async (connection) => work(await jetstreamManager(connection)))
}
