// One run, from nothing to four histories: servers, processes, clients and the nemesis, until everything is final. Then
// the database is exported, everything is stopped, and what is left is searched for secrets.

import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stackDirectory } from '../../scripts/stack/state.ts'
import { createCarrier } from './carrier.ts'
import { createClients, createReceiver } from './clients.ts'
import { createRecorder, type Recorder } from './histories.ts'
import { createServers, fundedOf, install, startRoles } from './installation.ts'
import { type MutationName, programOf } from './mutations.ts'
import { breakThings, createCopies } from './nemesis.ts'
import { type Plan, planRun } from './plan.ts'
import { dumpRecord, readCodes } from './record.ts'
import { hasOrder, numbersIn, type Sought, scanFiles } from './scan.ts'
import { type CrashEnv, createPorts } from './servers.ts'
import { afterwards, checkRecovery, control, noteStandstills, seedControls, sendAll } from './workload.ts'

export type RunOptions = { readonly seed: number; readonly kills: number; readonly mutation: MutationName | undefined }

export type Ran = {
  readonly directory: string
  readonly historyDirectory: string
  readonly copies: number
  // Processes that ended by themselves and were restarted, and how they ended.
  readonly deaths: readonly string[]
}

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
  recorder.settings({
    seed,
    timeScale: plan.timeScale,
    databases: servers.databases.length,
    funded: fundedOf(services),
  })
  const receiver = await createReceiver(recorder, services)
  open.defer(receiver.close)
  const phones = new Set(
    [...plan.requests, ...plan.faults.flatMap(({ volley }) => volley), ...afterwards].map(({ phone }) => phone),
  )
  const copies = await createCopies(seed, servers.nats.url, (payload) => {
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

  const nodes = servers.asterisks.map(({ site }) => ({ host: site.sipHost, port: site.sipPort }))
  const ends = { nodes, subscriberAddress: '127.0.0.1', receiverUrl: receiver.url }
  const clients = createClients({ recorder, services, bases: roles.bases, ...ends })
  const parts = new Map(
    [...roles.parts, ...servers.databases, servers.nats, ...servers.asterisks].map((one) => [one.name, one]),
  )
  open.defer(noteStandstills(recorder))
  await Promise.all([
    sendAll(clients, plan.requests),
    breakThings(plan.faults, parts, installation, recorder, clients.send),
  ])
  say('the last fault is over')
  await checkRecovery(recorder, say, installation, clients)
  await dumpRecord(installation, recorder, plan.timeScale, phones)
  await seedControls(installation.ownerUrls, servers.nats.url)
  const keys = Object.values(services).flatMap(({ key, webhookSecret }) => [key, webhookSecret])
  const codes = await readCodes(installation)
  return { copies: copies.count(), sought: { numbers: new Set([...phones, control]), keys, control, codes } }
}
