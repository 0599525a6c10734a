// F24: every process and every server is restarted, one machine after the other, as docs/operations/high-availability.md says,
// at 50 requests per second. All phones ring. Time is not scaled: a process that stops gives calls in flight as long as they take.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Histories } from '../crash/histories.ts'
import { numberOf, type PlannedRequest } from '../crash/plan.ts'
import { settled } from '../crash/record.ts'
import type { Machine } from '../ha/cluster.ts'
import type { Fault, Site } from './case.ts'
import { isWritable } from './database-faults.ts'
import { withVariants } from './machine-faults.ts'
import type { Measure } from './measures.ts'
import { isLed } from './process-faults.ts'
import { type AppMachine, roleNames } from './topology.ts'

const perSecond = 50
const requestsMin = 10_000
const stepMs = 20
const firstN = 20_000
// No number is called twice in four rounds: that many repeated calls would look like fraud. Both scenarios ring.
const numbers = { first: 0, count: 9_900, scenarios: ['180', '586'] }

export const rollingRestart: Fault = {
  id: 'F24',
  name: 'rolling restart of every role and server at 50 requests per second',
  loadMs: 0,
  leadMs: 0,
  timeScale: 1,
  isAlone: true,
  strike: restartAll,
  measure: lostCalls,
}

async function restartAll(site: Site): Promise<readonly Measure[]> {
  const [one, other] = site.apps
  const results: Measure[] = []
  const settings = { RINGPROOF_TIME_SCALE: '1' }
  await withVariants(one, roleNames, settings, (ofOne) =>
    withVariants(other, roleNames, settings, async (ofOther) => {
      const machines = [
        { asterisk: one.asterisk, role: ofOne },
        { asterisk: other.asterisk, role: ofOther },
      ]
      results.push(...(await restartUnderLoad(site, machines)))
    }),
  )
  return results
}

type Restarted = Pick<AppMachine, 'asterisk' | 'role'>

async function restartUnderLoad(site: Site, apps: readonly Restarted[]): Promise<readonly Measure[]> {
  const load = startLoad(site)
  let rounds = 0
  for (; load.sent() < requestsMin; rounds++) {
    for (const app of apps) await restartApp(app)
    for (const machine of site.cluster.machines) await restartMachine(site, machine)
  }
  const { sent, answered, first } = await load.stop()
  await settled(site.filled)
  return [
    { what: 'rounds', value: rounds },
    { what: 'requests', value: sent },
    { what: '% of requests answered', value: Math.floor((answered / sent) * 1e6) / 1e4, min: 99.99 },
    { what: '% of requests answered at the first try', value: Math.floor((first / sent) * 1e6) / 1e4 },
  ]
}

// Its calls end before its Asterisk is stopped.
async function restartApp({ role, asterisk }: Restarted): Promise<void> {
  for (const part of [role.api, role.webhooks, role.keeper]) {
    await part.close()
    part.start()
    await part.ready()
  }
  await role.calls.close()
  await asterisk.close()
  for (const part of [asterisk, role.calls]) {
    part.start()
    await part.ready()
  }
}

async function restartMachine(site: Site, machine: Machine): Promise<void> {
  const { cluster, broken } = site
  await broken('restart', 'postgres-0', async () => {
    const { primary, standby } = await cluster.whole()
    if (primary === machine) {
      await cluster.switchOver(primary, standby)
      await cluster.whole()
    }
    for (const part of [machine.patroni, machine.nats, machine.etcd]) await part.close()
    for (const part of [machine.etcd, machine.nats, machine.patroni]) part.start()
    await cluster.whole()
    await isWritable(site)
    await isLed(site)
  })
}

type Sent = { readonly sent: number; readonly answered: number; readonly first: number }

function startLoad({ clients, phones }: Site): { readonly sent: () => number; readonly stop: () => Promise<Sent> } {
  const startedMs = performance.now()
  const stopped = new AbortController()
  const open = new Set<Promise<void>>()
  let [sent, answered, first] = [0, 0, 0]
  const send = async (nth: number) => {
    const request = requestOf(nth)
    phones.add(request.phone)
    const { response, retries } = await clients.start(request)
    if (response?.status !== 200) return
    answered += 1
    if (retries === 0) first += 1
  }
  const run = async () => {
    for (; !stopped.signal.aborted; await sleep(stepMs)) {
      for (; sent < ((performance.now() - startedMs) / 1_000) * perSecond; sent++) {
        const one = send(sent).finally(() => open.delete(one))
        open.add(one)
      }
    }
    await Promise.all(open)
  }
  const ended = run()
  return {
    sent: () => sent,
    stop: async () => {
      stopped.abort()
      await ended
      return { sent, answered, first }
    },
  }
}

function requestOf(nth: number): PlannedRequest {
  const service = (['red', 'green', 'blue'] as const)[nth % 3] ?? 'red'
  const call = { kind: 'flash', atMs: 0, node: 0, subscriberCalls: 0, receiverFailures: 0, mode: 'flash' } as const
  const scenario = numbers.scenarios[Math.floor(nth / numbers.count) % numbers.scenarios.length] ?? ''
  const phone = numberOf(numbers.first + (nth % numbers.count), scenario)
  return { ...call, n: firstN + nth, service, api: nth % 2, phone, unique: `load-${nth}` }
}

function lostCalls({ record, client }: Histories): readonly Measure[] {
  const own = new Set(
    client.filter(({ n }) => n >= firstN && n < 90_000).flatMap(({ response }) => response?.vendorId ?? []),
  )
  const failed = record.flatMap((line) =>
    line.type === 'verification' && own.has(line.id) && line.state !== 'succeeded' ? [line.reason ?? line.state] : [],
  )
  return [
    {
      what: `accepted calls that did not ring${failed.length > 0 ? ` (${[...new Set(failed)].join(', ')})` : ''}`,
      value: failed.length,
      max: 0,
    },
  ]
}
