// A fault of one account does not slow the others: under an even load of several accounts one of them meets a fault,
// and the others are measured before and during it. Prints the figures.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from '../support/at-end.ts'
import { blockedBackend } from '../support/database/blocked-backend.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess, type TestService } from '../support/process/server.ts'

const perSecond = 40
const neighbourCount = 8
const successMin = 0.99
const slowerMax = 2

const installation = await installPhones(1)
const { base } = await serveProcess(installation)
const neighbours = await Promise.all(Array.from({ length: neighbourCount }, () => makeService(installation, 100_000)))
const victim = await makeService(installation, 100_000)
// Another address than the tarpit's, because limits are per address.
const receiver = await createReceiverToTheEnd(undefined, '127.0.0.2')

type Seen = { readonly count: number; readonly success: number; readonly p50Ms: number; readonly p99Ms: number }

// Whether it succeeded, and how long it took from the time it was due.
type One = (service: TestService, dueMs: number) => Promise<{ readonly isGood: boolean; readonly ms: number }>

const start: One = async ({ bearer: headers }, dueMs) => {
  const body = { phone: freshNumber('486') }
  const { status } = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers, body })
  return { isGood: status === 200, ms: performance.now() - dueMs }
}

// From the request to the webhook of the test number, which calls after two seconds.
const webhookRoundTrip: One = async ({ bearer: headers }, dueMs) => {
  const path = `/${Math.random()}`
  const body = { phone: '79000000001', callback_url: `${receiver.url}${path}` }
  const { status } = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers, body })
  if (status !== 200) return { isGood: false, ms: performance.now() - dueMs }
  const hasArrived = () => receiver.received.some(({ url }) => url === path)
  await poll('the webhook', () => hasArrived() || performance.now() - dueMs > 30_000)
  return { isGood: hasArrived(), ms: performance.now() - dueMs }
}

// An even rate, round-robin over the services, open loop.
async function load(services: readonly TestService[], one: One, rate: number, seconds: number): Promise<Seen> {
  const startedMs = performance.now()
  const all: ReturnType<One>[] = []
  for (let n = 0; n < rate * seconds; n++) {
    const dueMs = startedMs + (n * 1_000) / rate
    await sleep(Math.max(0, dueMs - performance.now()))
    all.push(one(services[n % services.length] as TestService, dueMs))
  }
  const ended = await Promise.all(all)
  const good = ended.filter(({ isGood }) => isGood).map(({ ms }) => ms)
  const sorted = good.toSorted((a, b) => a - b)
  const quantile = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN)
  return { count: ended.length, success: good.length / ended.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}

// The figures of the neighbours, while the victim sends requests too, so that they share batches.
async function both(seconds: number): Promise<Seen> {
  const [seen] = await Promise.all([
    load(neighbours, start, perSecond, seconds),
    load([victim], start, perSecond / 4, seconds),
  ])
  return seen
}

function compare(fault: string, before: Seen, during: Seen): void {
  const summary = (seen: Seen) =>
    `${seen.count} requests, ${(seen.success * 100).toFixed(2)} % good, p50 ${seen.p50Ms} ms, p99 ${seen.p99Ms} ms`
  process.stdout.write(`# ${fault}\n#   before: ${summary(before)}\n#   during: ${summary(during)}\n`)
  assert(during.success >= successMin, `${fault}: ${during.success}`)
  assert(during.p99Ms <= slowerMax * before.p99Ms, `${fault}: p99 ${before.p99Ms} to ${during.p99Ms} ms`)
}

test('a row lock held for 12 s does not slow other accounts', async () => {
  await both(5)
  const before = await both(12)
  await asOwner(async (owner) => {
    await owner.query('BEGIN')
    await owner.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [victim.accountId])
    const during = await both(12)
    await owner.query('ROLLBACK')
    compare('row of one account locked for 12 s', before, during)
  }, installation.database.ownerUrl)
})

test('a backend frozen for 45 s does not slow other accounts', async () => {
  const before = await both(20)
  const pid = await frozenBackend()
  try {
    compare('backend of one account frozen for 45 s', before, await both(45))
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('a tenant that floods test webhooks to names that never respond does not slow other accounts', async () => {
  const tarpit = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(tarpit, 'listening')
  atEnd(async () => {
    tarpit.closeAllConnections()
    tarpit.close()
    await once(tarpit, 'close')
  })
  const { port } = tarpit.address() as AddressInfo
  const before = await load(neighbours, webhookRoundTrip, neighbourCount / 2, 20)
  const over = new AbortController()
  const evil = await makeService(installation, 0)
  let flooded = 0
  const flood = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const body = { phone: '79000000001', callback_url: `http://h${flooded++}.localhost:${port}/` }
      await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: evil.bearer, body })
      await sleep(40)
    }
  })
  const during = await load(neighbours, webhookRoundTrip, neighbourCount / 2, 45)
  over.abort()
  await Promise.all(flood)
  process.stdout.write(`# ${flooded} test waits were asked for by the flood\n`)
  compare('free test webhooks flooded for 45 s (from the request to the webhook)', before, during)
})

// A backend that waits for the victim's row in its own batch, stopped while it waits; the lock is released then.
async function frozenBackend(): Promise<number> {
  return asOwner(async (owner) => {
    await owner.query('BEGIN')
    await owner.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [victim.accountId])
    const stuck = start(victim, performance.now())
    const pid = await blockedBackend(installation.database.url)
    process.kill(pid, 'SIGSTOP')
    stuck.catch(() => undefined)
    await owner.query('ROLLBACK')
    return pid
  }, installation.database.ownerUrl)
}
