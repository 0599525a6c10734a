// The queue between the spans and a collector that is slow, away or refuses them; and what decides about a trace.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import type { VerificationId } from '../../server/src/domain/core/slot.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { queueMax } from '../../server/src/process/traces/export.ts'
import { addTraceIds, createTraces } from '../../server/src/process/traces/traces.ts'
import { startTraceCollector } from '../support/http/trace-collector.ts'
import { freshKey, keyRing } from '../support/key-ring.ts'
import { poll } from '../support/poll.ts'

const clock = createClock(1)
const willing = await startTraceCollector()
const silent = await startTraceCollector(() => undefined)
let status = 503
const unwilling = await startTraceCollector((response) => response.writeHead(status).end())
const ring = keyRing([1, freshKey()])
const secret = 'collector-token-4711'

function tracesTo(url: string, share = 1, phoneSlot = ring) {
  const counts = { sent: 0, dropped: 0 }
  const lines: string[] = []
  const traces = createTraces({
    settings: { url, headers: { 'api-key': secret }, resource: { 'service.name': 'test' }, share },
    keys: { phoneSlot },
    version: 'test',
    roles: ['api'],
    clock,
    events: { spansExported: (outcome, count) => void (counts[outcome] += count) },
    log: createLog({ write: (line) => void lines.push(line) }),
  })
  const record = (count: number) => {
    for (let n = 1; n <= count; n++) {
      traces.record(n as VerificationId, { name: 'plan', startedMs: clock.monotonicMs() })
    }
  }
  return { ...traces, counts, lines, addSpans: record }
}

test('a collector that never responds: the queue is bounded, the rest is dropped and counted, and close does not wait', async () => {
  const { addSpans, counts, close, lines } = tracesTo(silent.url)
  addSpans(queueMax + 100)
  assert.deepEqual(counts, { sent: 0, dropped: 100 })
  await poll('the first request', () => silent.requests.length)
  const startedMs = performance.now()
  await close()
  // It gives a request ten seconds, but the last one only two.
  assert(performance.now() - startedMs < 7_000)
  assert.deepEqual(counts, { sent: 0, dropped: queueMax + 100 })
  assert.equal(lines.length, 1)
})

test('a collector that asks to come later gets the same spans again; one that refuses them does not', async () => {
  const later = tracesTo(unwilling.url)
  later.addSpans(3)
  await poll('the first request', () => later.lines.length)
  assert.deepEqual(later.counts, { sent: 0, dropped: 0 })
  status = 200
  await later.close()
  assert.deepEqual(later.counts, { sent: 3, dropped: 0 })
  const [first, second, ...more] = unwilling.requests.map(({ body }) => body)
  assert.deepEqual([second, more], [first, []])

  status = 401
  const refused = tracesTo(unwilling.url)
  refused.addSpans(3)
  await poll('the refusal', () => refused.counts.dropped)
  await refused.close()
  assert.deepEqual(refused.counts, { sent: 0, dropped: 3 })
  assert.match(refused.lines.join(''), /"http_status":401,"msg":"trace export failed"/)
})

test('a large queue is sent in batches, in order', async () => {
  const { addSpans, counts, close } = tracesTo(willing.url)
  addSpans(1_200)
  await close()
  assert.deepEqual(counts, { sent: 1_200, dropped: 0 })
  assert.equal(willing.requests.length, 3)
  const ids = willing.requests.flatMap(({ body }) => [...body.matchAll(/vendor_id","value":{"intValue":"(\d+)"/g)])
  assert.deepEqual(
    ids.map(([, id]) => Number(id)),
    Array.from({ length: 1_200 }, (_, at) => at + 1),
  )
})

test('a failed export is logged once a minute, with its cause and without the headers', async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  const { addSpans, close, counts, lines } = tracesTo(`http://127.0.0.1:${port}`)
  addSpans(1)
  await poll('the first failure', () => lines.length)
  await close()
  assert.deepEqual(counts, { sent: 0, dropped: 1 })
  assert.equal(lines.length, 1)
  assert.match(lines.join(''), /ECONNREFUSED/)
  assert(!lines.join('').includes(secret))
})

test('a share of the verifications is traced, the same ones in every process, and others in another installation', async () => {
  const before = willing.spans().length
  const ids = Array.from({ length: 2_000 }, (_, at) => (at + 1) as VerificationId)
  const tracedBy = (traces: ReturnType<typeof tracesTo>) => ids.filter((id) => traces.traceIdOf(id) !== undefined)
  const all = [
    tracesTo(willing.url, 0.25),
    tracesTo(willing.url, 0.25),
    tracesTo(willing.url, 0.25, keyRing([1, freshKey()])),
    tracesTo(willing.url),
  ] as const
  const [first, second, other, full] = all.map(tracedBy)
  assert(first && second && other && full)
  assert.deepEqual(second, first)
  assert.notDeepEqual(other, first)
  // Five standard deviations.
  assert(Math.abs(first.length - 500) < 100, `${first.length} of 2000`)
  assert.equal(full.length, ids.length)
  all[0].addSpans(ids.length)
  await Promise.all(all.map(({ close }) => close()))
  assert.equal(willing.spans().length - before, first.length)
})

test('only log lines with a verification get a trace', () => {
  const lines: string[] = []
  const log = addTraceIds(createLog({ write: (line) => void lines.push(line) }), { traceIdOf: (id) => `of-${id}` })
  log.info({ vendor_id: 7 }, 'call dialled')
  log.child({ part: 1 }).warn({ err: new Error('x'.repeat(40)) }, 'no verification')
  const [call, other] = lines.map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>)
  assert.deepEqual([call?.['vendor_id'], call?.['trace_id'], call?.['level']], [7, 'of-7', 'info'])
  assert.equal(other && 'trace_id' in other, false)
  assert.equal(other?.['err']?.['message'], '***')
})
