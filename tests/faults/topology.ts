// Five machines as network namespaces: three with PostgreSQL under Patroni, etcd and NATS, as in tests/ha, and two with one
// process of every role and an Asterisk. Carriers, subscribers, API clients and webhook receivers are this process, which
// reaches all of them over the bridge.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stackDirectory } from '../../scripts/stack/state.ts'
import { createCarrier } from '../crash/carrier.ts'
import type { Part } from '../crash/child.ts'
import type { Recorder } from '../crash/histories.ts'
import {
  asUser,
  createDatabase,
  createRole,
  type Filled,
  fill,
  natsPrefix,
  switchSettings,
} from '../crash/installation.ts'
import { type Asterisk, createAsterisk, createPorts } from '../crash/servers.ts'
import { type Cluster, createCluster, type Machine, superuserPassword } from '../ha/cluster.ts'
import { createHosts, type Defer, type Host, ownAddress } from '../ha/hosts.ts'
import { createDnsServer, type Names as DnsAnswers } from '../support/network/dns-server.ts'
import { pollUntilResolved } from '../support/poll.ts'
import { createDisk, createLogDisk, type Disk } from './disks.ts'

export const roleNames = ['api', 'calls', 'webhooks', 'keeper'] as const
export type RoleName = (typeof roleNames)[number]

export type AppMachine = Host & {
  readonly nth: number
  readonly role: Readonly<Record<RoleName, Part>>
  readonly asterisk: Asterisk
  readonly base: string
  readonly metricsUrl: string
  readonly logDirectory: string
  // The same process with other settings. It has the name and the port of the first, which must not run meanwhile.
  readonly variant: (role: RoleName, settings: Readonly<Record<string, string>>, program?: string) => Part
}

export type Topology = {
  readonly cluster: Cluster
  readonly apps: readonly [AppMachine, AppMachine]
  readonly disks: ReadonlyMap<string, Disk>
  // Of the logs of the second machine.
  readonly logDisk: Pick<Disk, 'fill' | 'free'>
  readonly names: Names
  readonly filled: Filled
  readonly migrationUrls: readonly string[]
  readonly stream: string
  readonly directory: string
  readonly program: string
  // Carriers record into the histories of the case that runs.
  readonly recordInto: (recorder: Recorder) => void
  // Processes that ended by themselves and were started again.
  readonly deaths: string[]
}

// The name server of the app machines. Receivers have a name.
export type Names = { readonly answerWith: (answer: 'truth' | ReturnType<DnsAnswers>) => void }

export const receiverName = 'receiver.test'
// Receivers that misbehave have another address, because connections per address are limited.
export const badReceiver = { name: 'bad.test', address: '10.77.0.11' } as const
export const timeScale = 0.2
const password = 'application-password'
const carrierAddresses = [ownAddress, '10.77.0.10'] as const
const databaseMachines = 3
const logMegabytes = 256

export async function createTopology(program: string, defer: Defer): Promise<Topology> {
  const directory = join(stackDirectory, 'faults', String(process.pid))
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const hosts = createHosts(defer, databaseMachines + 2)
  for (const address of [carrierAddresses[1], badReceiver.address]) {
    execFileSync('ip', ['address', 'add', `${address}/24`, 'dev', 'br0'])
  }
  const disks = new Map<string, Disk>()
  const cluster = await createCluster(hosts.slice(0, databaseMachines), defer, (home) => {
    const name = home.slice(home.lastIndexOf('/') + 1)
    disks.set(name, createDisk(directory, name, home, defer))
  })
  const carried = createForwarder()
  const carriers = await Promise.all(carrierAddresses.map((address) => createCarrier(address, carried.recorder)))
  for (const { close } of carriers) defer(close)
  const proxied = await cluster.startProxy()
  // At first HAProxy takes every server for the primary.
  const superuser = proxied('postgres', superuserPassword, 'postgres')
  const probe = 'CREATE TABLE IF NOT EXISTS probed (); DROP TABLE probed'
  await pollUntilResolved('HAProxy to find the primary', async () => {
    for (let nth = 0; nth < 2 * databaseMachines; nth++) await asUser(superuser, [probe])
  })
  await createDatabase(superuser, password)
  const migrationUrls = [cluster.databaseUrl('ringproof_owner', password, 'ringproof')]
  const filled = await fill({
    directory,
    urls: [cluster.databaseUrl('ringproof_app', password, 'ringproof')],
    ownerUrls: [proxied('ringproof_owner', password, 'ringproof')],
    migrationUrls,
    natsUrl: cluster.natsUrl,
    program,
    timeScale,
    carriers: carriers.map(({ address }) => address),
    settings: {
      RINGPROOF_NATS_REPLICAS: '3',
      RINGPROOF_PLAIN_CONNECTIONS: 'nats,postgres,ari',
      RINGPROOF_WEBHOOK_ALLOW: '10.77.0.0/24',
    },
  })
  const names = await createNames(defer)
  const logDisk = createLogDisk(join(directory, 'logs-1'), logMegabytes, defer)
  const deaths: string[] = []
  const died = (name: string, how: string) => void deaths.push(`${name} (${how})`)
  const apps = await createApps({ directory, program, filled, hosts: hosts.slice(databaseMachines), died, defer })
  const stream = `${natsPrefix}-calls-0`
  const { into: recordInto } = carried
  return { cluster, apps, disks, logDisk, names, filled, migrationUrls, stream, directory, program, recordInto, deaths }
}

type AppOptions = {
  readonly directory: string
  readonly program: string
  readonly filled: Filled
  readonly hosts: readonly Host[]
  readonly died: (name: string, how: string) => void
  readonly defer: Defer
}

async function createApps(options: AppOptions): Promise<Topology['apps']> {
  const freePort = createPorts()
  const [first, second] = options.hosts
  if (!first || !second) throw new RangeError('two machines are needed')
  const apps = [await createApp(options, first, 0, freePort), await createApp(options, second, 1, freePort)] as const
  const servers = apps.map(({ asterisk }) => asterisk)
  const roles = roleNames.flatMap((name) => apps.map(({ role }) => role[name]))
  for (const group of [servers, roles]) {
    for (const part of group) {
      part.start()
      options.defer(() => part.close())
    }
    await Promise.all(group.map((part) => part.ready()))
  }
  return apps
}

async function createApp(
  { directory, program, filled, died, defer }: AppOptions,
  host: Host,
  nth: number,
  freePort: () => Promise<number>,
): Promise<AppMachine> {
  const logDirectory = join(directory, `logs-${nth}`)
  mkdirSync(logDirectory, { recursive: true })
  resolveAt(host, defer)
  const asterisk = await createAsterisk({ directory, logDirectory, freePort }, nth, host)
  const [port, metricsPort] = [await freePort(), await freePort()]
  const ownSettings: Readonly<Record<RoleName, Readonly<Record<string, string>>>> = {
    api: {
      RINGPROOF_HTTP_HOST: host.address,
      RINGPROOF_HTTP_PORT: String(port),
      RINGPROOF_METRICS_HOST: host.address,
      RINGPROOF_METRICS_PORT: String(metricsPort),
    },
    calls: switchSettings(asterisk.site),
    webhooks: {},
    keeper: {},
  }
  let variants = 0
  const create = (name: RoleName, settings: Readonly<Record<string, string>>, logs: string, from = program) => {
    const environment = { ...filled.environment, ...ownSettings[name], ...settings }
    const command = { name: `${name}-${nth}`, program: from, environment, launcher: host.launcher }
    return createRole({ ...command, logDirectory: logs, died })
  }
  const variant: AppMachine['variant'] = (name, settings, from) => {
    variants += 1
    const logs = join(logDirectory, `variant-${variants}`)
    mkdirSync(logs)
    return create(name, settings, logs, from)
  }
  const role = Object.fromEntries(roleNames.map((name) => [name, create(name, {}, logDirectory)] as const))
  return {
    ...host,
    nth,
    role: role as AppMachine['role'],
    asterisk,
    base: `http://${host.address}:${port}`,
    metricsUrl: `http://${host.address}:${metricsPort}/metrics`,
    logDirectory,
    variant,
  }
}

async function createNames(defer: Defer): Promise<Names> {
  let answer: Parameters<Names['answerWith']>[0] = 'truth'
  const server = await createDnsServer((name) => (answer === 'truth' ? [addressOf(name)] : answer), ownAddress, 53)
  defer(server.close)
  return {
    answerWith: (next) => {
      answer = next
    },
  }
}

function addressOf(name: string): string {
  return name === badReceiver.name ? badReceiver.address : ownAddress
}

// Programs of this machine resolve names at this process: `ip netns exec` shows them the file as /etc/resolv.conf.
function resolveAt({ namespace }: Host, defer: Defer): void {
  const place = join('/etc/netns', namespace)
  mkdirSync(place, { recursive: true })
  defer(async () => rmSync(place, { recursive: true }))
  writeFileSync(join(place, 'resolv.conf'), `nameserver ${ownAddress}\noptions timeout:1 attempts:2\n`)
}

function createForwarder(): { readonly recorder: Pick<Recorder, 'carrier'>; readonly into: (to: Recorder) => void } {
  let current: Recorder | undefined
  return {
    recorder: { carrier: (line) => current?.carrier(line) },
    into: (to) => {
      current = to
    },
  }
}

export function machineOf({ cluster }: Topology, isWanted: (machine: Machine) => boolean): Machine {
  const found = cluster.machines.find(isWanted)
  if (!found) throw new RangeError('there is no such machine')
  return found
}
