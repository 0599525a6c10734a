// Many matched inbound calls and their webhooks: none is lost, none reaches the wrong receiver, and a hanging receiver
// delays no other. Calls come over the scripted network; separate processes deliver the webhooks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../../server/src/actions/money/ledger.ts'
import { atEnd } from '../at-end.ts'
import { ask } from '../http/ask.ts'
import { createReceiver, type Receiver, verified } from '../http/webhook-receiver.ts'
import { poll } from '../poll.ts'
import { type Running, start } from '../process/cli.ts'
import { freshNumber, installPhones } from '../process/phones.ts'
import { type Installation, makeService, serveProcess, type TestService } from '../process/server.ts'
import { createInboundCalls, type InboundCalls } from '../sip/inbound-calls.ts'

type Size = {
  readonly calls: number
  readonly callsPerSecond: number
  readonly rounds: number
  readonly callsPerRound: number
  readonly callsUntilKilled: number
}

type Field = Size & {
  readonly installation: Installation
  readonly base: string
  readonly callers: InboundCalls
  readonly service: TestService
}

const receiversCount = 10
const deadCount = 2

// Few enough that the machine has time left: the test compares waiting, not work.
const roundCallsPerSecond = 20

export async function webhookLoad(size: Size): Promise<void> {
  const installation = await installPhones(1, 2)
  // Delivery has its own process, so that it can be killed.
  const { base } = await serveProcess(installation, {}, '--roles', 'api,keeper')
  const service = await makeService(installation, 10_000)
  const callers = await createInboundCalls(installation)
  const field = { ...size, installation, base, callers, service }
  const kept: { worker: Running } = { worker: await createWorker(installation) }
  atEnd(async () => {
    kept.worker.process.kill('SIGTERM')
    await kept.worker.ended
  })
  test(`${size.calls} inbound verifications and calls: each webhook arrives once and is acknowledged`, () =>
    allArrive(field))
  test('with a fifth of the receivers dead or hanging, the others are as fast as before', () => nobodyElseWaits(field))
  test('the delivering process is killed under load: no webhook is lost', () => survivesKill(field, kept))
}

async function createWorker({ environment }: Installation): Promise<Running> {
  const worker = start({ ...environment, RINGPROOF_METRICS_PORT: '' }, 'serve', '--roles', 'webhooks')
  await worker.says('"msg":"ready"')
  return worker
}

type Proved = { readonly id: string; readonly phone: string; readonly calledAtMs: number }

// A request is pending, and the subscriber calls at once. Resolves when the call was received, before it is refused.
async function prove({ base, callers, service }: Field, callbackUrl: string): Promise<Proved> {
  const phone = freshNumber('180')
  const body = { phone, callback_url: callbackUrl }
  const send = () => ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
  // A machine that is starved of CPU sheds starts, as it should: the client comes again.
  const asked = await poll('the start to be taken', send, ({ status }) => status !== 503)
  assert.equal(asked.status, 200, asked.text)
  const calledAtMs = performance.now()
  const refused = await callers.call(phone, String(asked.json['confirmation_number']))
  assert.deepEqual(refused, { rang: true, status: 486 })
  return { id: String(asked.json['vendor_id']), phone, calledAtMs }
}

// A steady rate, however long each takes.
async function atPace<T>(count: number, perSecond: number, work: (index: number) => Promise<T>): Promise<readonly T[]> {
  const startedMs = performance.now()
  const all: Promise<T>[] = []
  for (let index = 0; index < count; index++) {
    const waitMs = startedMs + (index * 1_000) / perSecond - performance.now()
    if (waitMs > 0) await new Promise((resume) => setTimeout(resume, waitMs))
    all.push(work(index))
  }
  return Promise.all(all)
}

async function allArrive(field: Field): Promise<void> {
  const { calls, callsPerSecond, installation, service } = field
  const receiver = await createReceiver()
  const proved = await atPace(calls, callsPerSecond, () => prove(field, `${receiver.url}/`))
  await receiver.count(calls)
  await settled(installation, 'delivered', calls)
  assert.equal(receiver.received.length, calls, 'a webhook arrived twice')
  const byId = new Map(proved.map((one) => [one.id, one]))
  for (const received of receiver.received) {
    const body = verified(service.webhookSecret, received)
    assert.equal(body['clientNumber'], byId.get(String(received.headers['webhook-id']))?.phone)
    assert.equal(body['callId'], received.headers['webhook-id'])
  }
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, calls)
  assert.deepEqual((await auditLedger(installation)).faults, [])
  report(`${calls} calls, ${callsPerSecond} a second`, latenciesMs(proved, [receiver]))
  await receiver.close()
}

// Rounds with and without dead receivers alternate, so that other load hits both alike.
async function nobodyElseWaits(field: Field): Promise<void> {
  const quick: number[] = []
  const slow: number[] = []
  for (let round = 0; round < field.rounds; round++) {
    quick.push(await roundP99Ms(field, 0))
    slow.push(await roundP99Ms(field, deadCount))
  }
  report('p99 of rounds, all alive', quick)
  report('p99 of rounds, a fifth dead', slow)
  const [before, after] = [median(quick), median(slow)]
  assert(after <= 2 * before, `p99 went from ${before} to ${after} ms`)
}

async function roundP99Ms(field: Field, dead: number): Promise<number> {
  const hang = () => undefined
  const receivers = await Promise.all(
    Array.from({ length: receiversCount }, (_, index) => createReceiver(index < dead ? hang : undefined)),
  )
  // The first dead receiver hangs; the others do not listen.
  for (const gone of receivers.slice(1, dead)) await gone.close()
  const proved = await atPace(field.callsPerRound, roundCallsPerSecond, (index) =>
    prove(field, `${receivers[index % receiversCount]?.url ?? ''}/`),
  )
  const alive = receivers.slice(dead)
  await Promise.all(alive.map((receiver) => receiver.count(field.callsPerRound / receiversCount)))
  const p99Ms = percentile(latenciesMs(proved, alive), 0.99)
  await Promise.all(receivers.filter((_, index) => index === 0 || index >= dead).map((receiver) => receiver.close()))
  return p99Ms
}

async function survivesKill(field: Field, kept: { worker: Running }): Promise<void> {
  const { installation, callsPerSecond, callsUntilKilled } = field
  // Slow enough that many are in flight at any moment.
  const receiver = await createReceiver((response) => {
    setTimeout(() => response.writeHead(204).end(), 300)
  })
  const count = callsUntilKilled * 3
  const deliveredBefore = await countOf(installation, 'delivered')
  const kill = async () => {
    await receiver.count(callsUntilKilled)
    kept.worker.process.kill('SIGKILL')
    await kept.worker.ended
    kept.worker = await createWorker(installation)
  }
  const calling = atPace(count, callsPerSecond, () => prove(field, `${receiver.url}/`))
  const [proved] = await Promise.all([calling, kill()])
  await settled(installation, 'delivered', deliveredBefore + count)
  const receivedIds = receiver.received.map(({ headers }) => String(headers['webhook-id']))
  assert.deepEqual(new Set(receivedIds), new Set(proved.map(({ id }) => id)), 'a webhook was lost or has another ID')
  const bodies = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]))
  for (const { headers, body } of receiver.received) assert.equal(body, bodies.get(headers['webhook-id']))
  assert(receivedIds.length > count, 'no webhook was in flight when the process was killed')
  report(`killed after ${callsUntilKilled} of ${count}; received again`, [receivedIds.length - count])
  await receiver.close()
}

async function countOf({ slots }: Installation, state: string): Promise<number> {
  const found = await Promise.all(
    slots.databases.map((database) => database.query('SELECT FROM webhooks WHERE state = $1', [state])),
  )
  return found.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
}

async function settled(installation: Installation, state: string, count: number): Promise<void> {
  await poll(
    `${count} webhooks to be ${state}`,
    () => countOf(installation, state),
    (found) => found >= count,
    { intervalMs: 100 },
  )
}

function latenciesMs(proved: readonly Proved[], receivers: readonly Receiver[]): readonly number[] {
  const calledAtMs = new Map(proved.map(({ id, calledAtMs: atMs }) => [id, atMs]))
  return receivers.flatMap(({ received }) =>
    received.map(({ headers, atMs }) => atMs - (calledAtMs.get(String(headers['webhook-id'])) ?? Number.NaN)),
  )
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function report(what: string, values: readonly number[]): void {
  const [middle, top] = [median(values), percentile(values, 0.99)].map(Math.round)
  process.stdout.write(`# ${what}: median ${middle}, p99 ${top} (${values.length})\n`)
}
