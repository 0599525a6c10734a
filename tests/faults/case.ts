// One case: one fault with one seed. New accounts and services, the requests of the crash test, the fault in the middle of
// them; when everything is final, a call and an inbound request at each machine, the database exported and what was
// written meanwhile searched for secrets. The histories are then checked as those of the crash test.

import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { slotsAll } from '../../server/src/domain/core/slot.ts'
import { type Violation, violationsOf } from '../crash/check.ts'
import { type Clients, createClients, createReceiver } from '../crash/clients.ts'
import { createRecorder, type FaultLine, type Histories, type Recorder, readHistories } from '../crash/histories.ts'
import { asUser, fundedOf, makeServices, type Services } from '../crash/installation.ts'
import { createCopies } from '../crash/nemesis.ts'
import { createRandom, type PlannedRequest, planRequests, planVolley, type Randomness } from '../crash/plan.ts'
import { dumpRecord, readCodes } from '../crash/record.ts'
import { hasOrder, numbersIn, scanFiles } from '../crash/scan.ts'
import { afterwards, checkRecovery, control, noteStandstills, seedControls, sendAll } from '../crash/workload.ts'
import { type Defer, ownAddress } from '../ha/hosts.ts'
import { internalErrors, type Measure } from './measures.ts'
import { receiverName, type Topology, timeScale as usualTimeScale } from './topology.ts'

// What a fault can use.
export type Site = Topology & {
  readonly random: Randomness
  readonly recorder: Recorder
  readonly clients: Clients
  readonly services: Services
  readonly send: (requests: readonly PlannedRequest[]) => void
  // Numbers that are called.
  readonly phones: Set<string>
  // Sends requests that will be in flight when the victim breaks.
  readonly volley: (victim: string) => void
  // Breaks something until the work resolves, and records it. A victim `postgres-0` moves the deadline of calls.
  readonly broken: (act: string, victim: string, work: () => Promise<void>) => Promise<void>
  readonly plan: readonly PlannedRequest[]
  // Called when everything is final.
  readonly defer: Defer
  // Clients of other accounts, with separate histories.
  readonly otherClients: (recorder: Recorder) => Promise<Clients>
}

export type Fault = {
  readonly id: string
  readonly name: string
  // For how long requests are sent, and for how long before it is struck.
  readonly loadMs: number
  readonly leadMs?: number
  // If it starts processes with another one.
  readonly timeScale?: number
  // It takes all cores or measures milliseconds, so no other case may run beside it.
  readonly isAlone?: true
  readonly strike: (site: Site) => Promise<readonly Measure[]>
  // What the histories say about it.
  readonly measure?: (histories: Histories, fault: FaultLine) => readonly Measure[]
}

export type CaseResult = {
  readonly seconds: number
  readonly violations: readonly Violation[]
  // Extra expectations that do not hold, and discrepancies that `ringproof ledger audit` reports.
  readonly unmet: readonly string[]
  readonly measures: readonly Measure[]
  readonly accepted: number
  readonly directory: string
}

// So that it finds calls in every state.
const usualLeadMs = 3_000
let cases = 0

export async function runCase(topology: Topology, fault: Fault, seed: number): Promise<CaseResult> {
  const startedMs = Date.now()
  cases += 1
  const directory = join(topology.directory, `${fault.id}-seed-${seed}-${cases}`)
  const recorder = createRecorder(directory)
  topology.recordInto(recorder)
  const measures = await play(topology, fault, seed, recorder, startedMs)
  const histories = readHistories(directory)
  const struck = histories.faults.find(({ act }) => act !== 'standstill' && act !== 'recovered')
  const all = [
    ...measures.taken,
    ...(struck ? (fault.measure?.(histories, struck) ?? []) : []),
    ...internalErrors(histories),
  ]
  const unmet = all
    .filter(({ value, max = Infinity, min = -Infinity }) => !(value <= max && value >= min))
    .map(
      ({ what, value, max, min }) =>
        `${what}: ${value}, expected ${max === undefined ? `at least ${min}` : `at most ${max}`}`,
    )
  return {
    seconds: (Date.now() - startedMs) / 1_000,
    violations: violationsOf(histories),
    unmet: [...unmet, ...measures.discrepancies.map((one) => `ledger audit: ${one}`)],
    measures: all,
    accepted: histories.record.filter(({ type }) => type === 'verification').length,
    directory,
  }
}

type Played = { readonly taken: readonly Measure[]; readonly discrepancies: readonly string[] }

async function play(
  topology: Topology,
  fault: Fault,
  seed: number,
  recorder: Recorder,
  startedMs: number,
): Promise<Played> {
  const { filled, cluster, apps } = topology
  await using open = new AsyncDisposableStack()
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, filled.ownerUrls[0] ?? ''])))
  open.defer(() => slots.close())
  await cluster.whole()
  const services = await makeServices(slots, filled.secrets, `-${cases}-${process.pid}`)
  for (const url of filled.ownerUrls) await asUser(url, ['TRUNCATE subscriber_numbers'])
  const { leadMs = usualLeadMs, timeScale = usualTimeScale } = fault
  recorder.settings({ seed, timeScale, databases: 1, funded: fundedOf(services) })
  const receiver = await createReceiver(recorder, services, ownAddress)
  open.defer(receiver.close)
  const bases = apps.map(({ base }) => base)
  const nodes = apps.map(({ asterisk: { site } }) => ({ host: site.sipHost, port: site.sipPort }))
  const ends = { nodes, subscriberAddress: ownAddress, receiverUrl: receiver.url.replace(ownAddress, receiverName) }
  const clients = createClients({ recorder, services, bases, ...ends })
  const otherClients = async (into: Recorder) => {
    const others = await makeServices(slots, filled.secrets, `-other-${cases}-${process.pid}`)
    return createClients({ recorder: into, services: others, bases, ...ends })
  }
  // Every fault has different requests.
  const ownSeed = seed * 100 + Number(fault.id.slice(1))
  const plan = planRequests(createRandom(ownSeed), leadMs + fault.loadMs)
  const { site, phones, sent } = createSite(topology, {
    seed: ownSeed + 1_000_000,
    recorder,
    clients,
    services,
    plan,
    defer: (close) => open.defer(async () => void (await close())),
    otherClients,
  })
  const copies = await createCopies(seed, cluster.natsUrl, (payload) => {
    const where = { place: 'bus', where: 'an order' } as const
    if (numbersIn(Buffer.from(payload), phones).size > 0) recorder.scan({ ...where, what: 'number' })
    if (hasOrder(Buffer.from(payload))) recorder.scan({ ...where, what: 'code' })
  })
  open.defer(copies.close)
  open.defer(noteStandstills(recorder))
  const load = sendAll(clients, plan)
  await sleep(leadMs)
  const taken = await fault.strike(site)
  await load
  await Promise.all(sent)
  await cluster.whole()
  await checkRecovery(recorder, () => undefined, filled, clients)
  await dumpRecord({ ...filled, services }, recorder, timeScale, phones)
  await seedControls(filled.ownerUrls, cluster.natsUrl, 3)
  const keys = Object.values(services).flatMap(({ key, webhookSecret }) => [key, webhookSecret])
  const sought = { numbers: new Set([...phones, control]), keys, control, codes: await readCodes(filled) }
  search(topology, sought, recorder, startedMs)
  const { faults } = await auditLedger({ slots })
  return { taken, discrepancies: faults }
}

type Staged = Pick<Site, 'recorder' | 'clients' | 'services' | 'plan' | 'defer' | 'otherClients'> & {
  readonly seed: number
}

function createSite(
  topology: Topology,
  { seed, ...staged }: Staged,
): { readonly site: Site; readonly phones: Set<string>; readonly sent: readonly Promise<void>[] } {
  const { recorder, clients, plan } = staged
  const random = createRandom(seed)
  const phones = new Set([...plan, ...afterwards].map(({ phone }) => phone))
  const sent: Promise<void>[] = []
  let volleys = 0
  const send: Site['send'] = (requests) => {
    for (const request of requests) {
      phones.add(request.phone)
      const work = clients.send(request)
      // Awaited at the end; a failure before that must not end the process before its children.
      work.catch(() => undefined)
      sent.push(work)
    }
  }
  const site: Site = {
    ...topology,
    ...staged,
    random,
    phones,
    send,
    volley: (victim) => {
      send(planVolley(random, { victim }, volleys))
      volleys += 1
    },
    broken: async (act, victim, work) => {
      const atMs = Date.now()
      await work()
      recorder.fault({ act, victim, atMs, backAtMs: Date.now() })
    },
  }
  return { site, phones, sent }
}

// Only what was written since the case began: the rest was searched before.
function search(
  topology: Topology,
  sought: Parameters<typeof scanFiles>[2],
  recorder: Recorder,
  sinceMs: number,
): void {
  const { cluster, apps } = topology
  for (const { dataDirectory, natsStore } of cluster.machines) {
    scanFiles('postgres', dataDirectory, sought, recorder, sinceMs)
    scanFiles('jetstream', natsStore, sought, recorder, sinceMs)
  }
  const controlLog = join(topology.directory, 'logs-0', 'control.log')
  appendFileSync(controlLog, `{"msg":"${control}"}\n`)
  for (const { logDirectory, asterisk } of apps) {
    scanFiles('logs', logDirectory, sought, recorder, sinceMs)
    scanFiles('logs', join(asterisk.site.directory, 'log'), sought, recorder, sinceMs)
  }
  scanFiles('logs', join(cluster.directory, 'logs'), sought, recorder, sinceMs)
  rmSync(controlLog)
}
