// One run, from nothing to four histories: servers, processes, clients and the nemesis, until everything is final. Then
// the database is exported, everything is stopped, and what is left is searched for secrets.

import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { stackDirectory } from '../../scripts/stack/state.ts'
import { createCarrier } from './carrier.ts'
import { type Clients, createClients, createReceiver } from './clients.ts'
import { createRecorder, type Recorder } from './histories.ts'
import { asUser, createServers, funds, type Installation, install, startRoles } from './installation.ts'
import { type MutationName, programOf } from './mutations.ts'
import { breakThings, createCopies } from './nemesis.ts'
import { numberOf, type Plan, type PlannedRequest, planRun, serviceNames } from './plan.ts'
import { dumpRecord, readCodes, settled } from './record.ts'
import { hasOrder, numbersIn, type Sought, scanFiles } from './scan.ts'
import { type CrashEnv, createPorts } from './servers.ts'

export type RunOptions = { readonly seed: number; readonly kills: number; readonly mutation: MutationName | undefined }

export type Ran = {
  readonly directory: string
  readonly historyDirectory: string
  readonly copies: number
  // Processes that ended by themselves and were restarted, and how they ended.
  readonly deaths: readonly string[]
}

const control = numberOf(9_999, '180')
const controlSubject = 'crash-control'

export async function runOnce({ seed, kills, mutation }: RunOptions, say: (text: string) => void): Promise<Ran> {
  const directory = join(stackDirectory, 'crash', `${seed}-${process.pid}`)
  rmSync(directory, { recursive: true, force: true })
  const env = { directory, logDirectory: join(directory, 'logs'), freePort: createPorts() }
  mkdirSync(env.logDirectory, { recursive: true })
  const historyDirectory = join(directory, 'histories')
  const recorder = createRecorder(historyDirectory)
  const deaths: string[] = []
  const stage = {
    env,
    recorder,
    seed,
    plan: planRun(seed, kills),
    program: programOf(mutation, directory),
    deaths,
    say,
  }
  const { copies, sought } = await play(stage)
  for (const nth of [0, 1]) scanFiles('postgres', join(directory, `postgres-${nth}`), sought, recorder)
  scanFiles('jetstream', join(directory, 'nats'), sought, recorder)
  appendFileSync(join(env.logDirectory, 'control.log'), `{"msg":"${control}"}\n`)
  scanFiles('logs', env.logDirectory, sought, recorder)
  for (const nth of [0, 1]) scanFiles('logs', join(directory, `asterisk-${nth}`, 'log'), sought, recorder)
  return { directory, historyDirectory, copies, deaths }
}

type Stage = {
  readonly env: CrashEnv
  readonly recorder: Recorder
  readonly seed: number
  readonly plan: Plan
  readonly program: string
  readonly deaths: string[]
  readonly say: (text: string) => void
}

// Everything that runs, from start to end.
async function play(stage: Stage): Promise<{ readonly copies: number; readonly sought: Sought }> {
  const { env, recorder, seed, plan, program, deaths, say } = stage
  await using open = new AsyncDisposableStack()
  const carriers = [await createCarrier('127.0.0.1', recorder), await createCarrier('127.0.0.2', recorder)]
  for (const { close } of carriers) open.defer(close)
  const servers = await createServers(env)
  for (const { close } of [...servers.databases, servers.nats, ...servers.asterisks]) open.defer(close)
  const addresses = carriers.map(({ address }) => address)
  const installation = await install(env, servers, program, plan.timeScale, addresses)
  const { services } = installation
  const funded = Object.fromEntries(serviceNames.map((name) => [services[name].accountId, funds[name] * 1e6]))
  recorder.settings({ seed, timeScale: plan.timeScale, databases: servers.databases.length, funded })
  const receiver = await createReceiver(recorder, services)
  open.defer(receiver.close)
  const phones = new Set(
    [...plan.requests, ...plan.faults.flatMap(({ volley }) => volley), ...afterwards].map(({ phone }) => phone),
  )
  const copies = await createCopies(seed, installation, (payload) => {
    if (numbersIn(Buffer.from(payload), phones).size > 0)
      recorder.scan({ place: 'bus', what: 'number', where: 'an order' })
    if (hasOrder(Buffer.from(payload))) recorder.scan({ place: 'bus', what: 'code', where: 'an order' })
  })
  open.defer(copies.close)
  const roles = await startRoles(env, installation, program, (name, how) => deaths.push(`${name} (${how})`))
  open.defer(async () => {
    await Promise.all(roles.parts.map(({ close }) => close()))
  })
  // The second keeper last: if there were a leader, it would be the first, and the first is the one that is frozen.
  for (const group of [roles.parts.slice(0, -1), roles.parts.slice(-1)]) {
    for (const part of group) part.start()
    await Promise.all(group.map((part) => part.ready()))
  }
  say('everything is up')

  const sipPorts = servers.asterisks.map(({ site }) => site.sipPort)
  const clients = createClients({ recorder, services, bases: roles.bases, sipPorts, receiverUrl: receiver.url })
  const parts = new Map(
    [...roles.parts, ...servers.databases, servers.nats, ...servers.asterisks].map((one) => [one.name, one]),
  )
  open.defer(noteStandstills(recorder))
  await Promise.all([
    sendAll(clients, plan.requests),
    breakThings(plan.faults, parts, installation, recorder, clients.send),
  ])
  say('the last fault is over')
  await checkRecovery(stage, installation, clients)
  await dumpRecord(installation, recorder, plan.timeScale, phones)
  await mutationControls(installation)
  const keys = serviceNames.flatMap((name) => [services[name].key, services[name].webhookSecret])
  const codes = await readCodes(installation)
  return { copies: copies.count(), sought: { numbers: new Set([...phones, control]), keys, control, codes } }
}

const tickMs = 100
const standstillMs = 500

// A shared machine may stall for seconds. Whatever was due then is late by as much.
function noteStandstills(recorder: Recorder): () => void {
  let lastMs = Date.now()
  const ticking = setInterval(() => {
    const nowMs = Date.now()
    if (nowMs - lastMs > standstillMs) {
      recorder.fault({ act: 'standstill', victim: 'machine', atMs: lastMs, backAtMs: nowMs })
    }
    lastMs = nowMs
  }, tickMs)
  return () => clearInterval(ticking)
}

async function sendAll(clients: Clients, requests: readonly PlannedRequest[]): Promise<void> {
  const startedMs = performance.now()
  await Promise.all(
    requests.map(async (request) => {
      await sleep(Math.max(0, request.atMs - (performance.now() - startedMs)))
      await clients.send(request)
    }),
  )
}

const afterwards: readonly PlannedRequest[] = ([0, 1] as const).flatMap((nth): PlannedRequest[] => {
  const common = { kind: 'after', atMs: 0, service: 'red', api: nth, node: nth, receiverFailures: 0 } as const
  return [
    { ...common, n: 90_000 + nth, mode: 'flash', phone: numberOf(9_990 + nth, '586'), subscriberCalls: 0 },
    { ...common, n: 90_002 + nth, mode: 'inbound', phone: numberOf(9_992 + nth, '180'), subscriberCalls: 1 },
  ]
})

// When everything is final, a new call and a new inbound request must work without manual repair; then everything is
// read once more.
async function checkRecovery({ recorder, say }: Stage, installation: Installation, clients: Clients): Promise<void> {
  const open = await settled(installation)
  say(open === 0 ? 'everything is final' : `${open} verifications or webhooks are still open`)
  await sendAll(clients, afterwards)
  await settled(installation)
  await clients.askAll()
  recorder.fault({ act: 'recovered', victim: 'nobody', atMs: Date.now(), backAtMs: Date.now() })
}

// Seeded in a table and in a stream, so that the search is known to work.
async function mutationControls({ ownerUrls, nats }: Installation): Promise<void> {
  for (const url of ownerUrls) await asUser(url, [`CREATE TABLE crash_control AS SELECT '${control}'::text AS number`])
  const { host, username, password } = new URL(nats.url)
  const connection = await connect({ servers: host, user: username, pass: password })
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: controlSubject, subjects: [controlSubject] })
  await connection.request(controlSubject, control)
  await connection.close()
}
