// F21 and F22: webhook receivers that are slow or broken, and one that is down until the schedule has ended.

import { setTimeout as sleep } from 'node:timers/promises'
import { webhookRetrySeconds } from '@ringproof/contract/limits.ts'
import { Client } from 'pg'
import { run } from '../../scripts/stack/process.ts'
import { createReceiver, type Manner } from '../crash/clients.ts'
import type { FaultLine, Histories } from '../crash/histories.ts'
import { numberOf, type PlannedRequest } from '../crash/plan.ts'
import { poll } from '../support/poll.ts'
import type { Fault, Site } from './case.ts'
import { type Measure, percentile } from './measures.ts'
import { badReceiver } from './topology.ts'

export const webhookFaults: readonly Fault[] = [
  {
    id: 'F21',
    name: 'receivers hang, drip, reset, respond late or without end',
    loadMs: 14_000,
    strike: breakReceivers,
    measure: healthyDelay,
  },
  {
    id: 'F22',
    name: 'a receiver is down until the schedule has ended, and webhooks are resent',
    loadMs: 6_000,
    strike: outlastSchedule,
    measure: scheduleFaults,
  },
]

const none = 599
const manners: readonly Manner[] = [
  { status: none, respond: () => undefined },
  { status: none, respond: ({ socket }) => void socket?.resetAndDestroy() },
  {
    status: 200,
    respond: (response) => {
      response.writeHead(200)
      const dripping = setInterval(() => response.write('x'), 1_000)
      response.on('close', () => clearInterval(dripping))
    },
  },
  {
    status: 200,
    respond: (response) => {
      response.writeHead(200)
      const pour = () =>
        void (response.destroyed || response.write(Buffer.alloc(65_536)) || response.once('drain', pour))
      response.on('drain', pour)
      pour()
    },
  },
  { status: 204, respond: (response) => void setTimeout(() => response.writeHead(204).end(), 1_500) },
]
const gone: Manner = { status: 410, respond: (response) => void response.writeHead(410).end() }
const slowSerial = 6_200

async function breakReceivers({ recorder, services, send, broken, defer }: Site): Promise<readonly Measure[]> {
  let tries = 0
  let isGone = false
  const mannerOf = (path: string) => {
    tries += 1
    return isGone ? gone : manners[Number(path.split('/')[2]) % manners.length]
  }
  const bad = await createReceiver(recorder, services, badReceiver.address, mannerOf)
  defer(bad.close)
  const receiverUrl = bad.url.replace(badReceiver.address, badReceiver.name)
  await broken('slow', 'receiver', async () => {
    send(Array.from({ length: 10 }, (_, index) => ({ ...inbound(slowSerial + index, 0), receiverUrl })))
    await sleep(10_000)
  })
  const tried = tries
  // Whatever is still due ends at its next attempt.
  isGone = true
  return [{ what: 'tries at broken receivers', value: tried, min: manners.length }]
}

// From the call to the first attempt at a receiver that works.
function healthyDelay({ carrier, receiver }: Histories, { atMs, backAtMs }: FaultLine): readonly Measure[] {
  const calls = new Map(carrier.filter(({ type }) => type === 'call-in').map((line) => [line.phone, line.atMs]))
  const seen = new Set<string>()
  const delays = receiver.flatMap((line) => {
    if (seen.has(line.path) || line.atMs < atMs || line.atMs > backAtMs) return []
    seen.add(line.path)
    const isSlow = Number(line.path.split('/')[2]) >= slowSerial
    return isSlow ? [] : [line.atMs - (calls.get(line.clientNumber) ?? line.atMs)]
  })
  const value = percentile(delays, 0.95)
  return [{ what: 'ms from a call to its webhook at a receiver that works (p95)', value, max: 2_500 }]
}

const downSerial = 6_300
const downCount = 3
// The schedule of 19 minutes takes 23 seconds.
const fastScale = 0.02

async function outlastSchedule(site: Site): Promise<readonly Measure[]> {
  const { apps, program, filled, send, broken } = site
  const fast = apps.map((app) => app.variant('webhooks', { RINGPROOF_TIME_SCALE: String(fastScale) }))
  await Promise.all(apps.map(({ role }) => role.webhooks.close()))
  for (const part of fast) part.start()
  await broken('down', 'receiver', async () => {
    const failures = webhookRetrySeconds.length + 1
    send(Array.from({ length: downCount }, (_, index) => inbound(downSerial + index, failures)))
    const dead = await poll(
      'webhooks to be given up',
      () => deadWebhooks(site),
      (ids) => ids.length >= downCount,
      {
        timeoutMs: 90_000,
        intervalMs: 500,
      },
    )
    const env = { PATH: process.env['PATH'], ...filled.environment }
    for (const id of dead) await run([process.execPath, program, 'webhooks', 'resend', id], { env })
    await poll(
      'resent webhooks to arrive',
      () => deadWebhooks(site),
      (ids) => ids.length === 0,
      { intervalMs: 200 },
    )
  })
  await Promise.all(fast.map((part) => part.close()))
  for (const { role } of apps) role.webhooks.start()
  await Promise.all(apps.map(({ role }) => role.webhooks.ready()))
  return [{ what: 'webhooks given up, resent and delivered', value: downCount }]
}

// No attempt comes earlier than the schedule says.
function scheduleFaults({ receiver }: Histories): readonly Measure[] {
  const tries = Map.groupBy(
    receiver.filter(({ path }) => isDown(Number(path.split('/')[2]))),
    ({ path }) => path,
  )
  const early = [...tries.values()].flatMap((lines) =>
    webhookRetrySeconds.filter((seconds, index) => {
      const gapMs = (lines[index + 1]?.atMs ?? Infinity) - (lines[index]?.atMs ?? 0)
      return gapMs < seconds * 1_000 * fastScale
    }),
  )
  const fewest = Math.min(...[...tries.values()].map(({ length }) => length))
  return [
    { what: 'attempts earlier than the schedule', value: early.length, max: 0 },
    { what: 'attempts at least, with the resent one', value: fewest, min: webhookRetrySeconds.length + 2 },
  ]
}

function isDown(n: number): boolean {
  return n >= downSerial && n < downSerial + downCount
}

async function deadWebhooks({ filled, services }: Site): Promise<readonly string[]> {
  const client = new Client({ connectionString: filled.ownerUrls[0] })
  client.on('error', () => undefined)
  await client.connect()
  const sql = `SELECT id::text FROM webhooks
    WHERE state = 'dead' AND id IN (SELECT id FROM verifications WHERE service_id = $1)`
  const { rows } = await client.query<{ id: string }>(sql, [services.blue.serviceId])
  await client.end()
  return rows.map(({ id }) => id)
}

function inbound(n: number, receiverFailures: number): PlannedRequest {
  const call = { kind: 'wait', atMs: 0, service: 'blue', api: n % 2, node: n % 2, subscriberCalls: 1 } as const
  return { ...call, n, mode: 'inbound', phone: numberOf(n, '180'), receiverFailures }
}
