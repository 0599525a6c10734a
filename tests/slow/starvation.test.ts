// A process with too little memory on a machine with busy CPUs may crash under load and is restarted, as a service
// manager does. No accepted call is lost, nobody is called or charged twice, and the ledger is consistent.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/stack/ports.ts'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { type Running, start } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService } from '../support/process/server.ts'

const loadMs = 30_000
const endMs = 60_000
const clients = 200
const heapMegabytes = 64
// One more megabyte is retained every fifth of a second, so that memory runs out under load.
const leak = 'const%20kept=[];setInterval(()=>kept.push(new%20Array(131072).fill(Math.random())),200).unref()'

const installation = await installPhones(0.5)
const service = await makeService(installation, 100_000)
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const database = installation.slots.globalDatabase

test('with too little memory and CPU the server may crash, and every invariant holds', async (t) => {
  const load = new AbortController()
  const busy = occupyProcessors()
  const server = keepRunning(`--max-old-space-size=${heapMegabytes} --import=data:text/javascript,${leak}`)
  atEnd(async () => server.stop())
  const answered = new Map<string, Set<number>>()
  const sent = { count: 0 }
  const stopAt = setTimeout(() => load.abort(), loadMs)
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n, load.signal, answered, sent)))
  clearTimeout(stopAt)
  for (const child of busy) child.kill('SIGKILL')

  // A process with enough memory completes everything.
  await server.stop()
  const healthy = keepRunning('')
  await untilNothingIsOpen()
  await healthy.stop()
  const outputs = [...server.runs, ...healthy.runs].map((running) => running.output()).join('\n')
  await assertInvariants(answered, outputs)
  const ids = [...answered.values()].flatMap((set) => [...set])
  t.diagnostic(`${sent.count} requests, ${ids.length} calls accepted, ${server.crashes()} crashes, all invariants hold`)
  assert(server.crashes() > 0, 'memory did not run out')
  assert(ids.length > 20, `only ${ids.length} were accepted`)
})

// Each client repeats a request under one idempotency key until it is answered, as documented.
async function client(n: number, ended: AbortSignal, answered: Map<string, Set<number>>, sent: { count: number }) {
  for (let nth = 0; !ended.aborted; nth++) {
    const unique = `starved-${n}-${nth}`
    const body = JSON.stringify({
      phone: `7907${String(n).padStart(3, '0')}${String(nth % 10)}180`,
      unique,
      client: 'x'.repeat(60),
    })
    for (let tries = 0; tries < 3 && !ended.aborted; tries++) {
      sent.count += 1
      const accepted = await fetch(`${base}/v1.0/initCall`, {
        method: 'POST',
        headers: { ...service.bearer, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(10_000),
      })
        .then(async (response) => (await response.json()) as { vendor_id?: number })
        .catch(() => undefined)
      if (accepted?.vendor_id !== undefined) {
        answered.set(unique, (answered.get(unique) ?? new Set()).add(accepted.vendor_id))
        break
      }
      await sleep(100, undefined, { signal: ended }).catch(() => undefined)
    }
  }
}

function occupyProcessors(): readonly ChildProcess[] {
  const children = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  atEnd(async () => children.forEach((child) => child.kill('SIGKILL')))
  return children
}

// Restarted whenever it ends, until it is stopped.
function keepRunning(nodeOptions: string) {
  const runs: Running[] = []
  const wanted = new AbortController()
  let crashed = 0
  const run = async () => {
    while (!wanted.signal.aborted) {
      const running = start(
        {
          ...installation.environment,
          NODE_OPTIONS: nodeOptions,
          RINGPROOF_HTTP_PORT: String(port),
          RINGPROOF_METRICS_PORT: '',
          RINGPROOF_REQUESTS_PER_SECOND: '100000',
        },
        'serve',
      )
      runs.push(running)
      await running.ended
      if (!wanted.signal.aborted) crashed += 1
      await sleep(300)
    }
  }
  const ended = run()
  return {
    runs,
    crashes: () => crashed,
    stop: async () => {
      if (wanted.signal.aborted) return
      wanted.abort()
      const child = runs.at(-1)?.process
      if (child && child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        const timeout = setTimeout(() => child.kill('SIGKILL'), 60_000)
        await once(child, 'exit')
        clearTimeout(timeout)
      }
      await ended
    },
  }
}

async function untilNothingIsOpen(): Promise<void> {
  const sql = `SELECT count(*) AS count FROM verifications WHERE state IN ('accepted', 'dialling')`
  const countOpen = async () => (await database.query<{ count: number }>(sql)).rows[0]?.count
  await poll('every call to end', countOpen, (count) => count === 0, { timeoutMs: endMs, intervalMs: 200 })
}

async function assertInvariants(answered: ReadonlyMap<string, ReadonlySet<number>>, outputs: string): Promise<void> {
  const { rows } = await database.query<{
    id: number
    state: string
    price: number
    entries: number
    captured: number
  }>(
    `SELECT v.id, v.state, v.price, count(l.*) AS entries,
       coalesce(sum(l.amount) FILTER (WHERE l.to_account = 'revenue'), 0)::bigint AS captured
     FROM verifications AS v LEFT JOIN ledger AS l ON l.id = v.id GROUP BY 1, 2, 3`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const [unique, ids] of answered) {
    assert.equal(ids.size, 1, `${unique} returned ${ids.size} calls`)
    for (const id of ids) assert(byId.has(id), `${id} was returned and is lost`)
  }
  for (const { id, state, price, entries, captured } of rows) {
    assert.equal(entries, 2, `${id}: a hold and its end`)
    assert.equal(captured, state === 'succeeded' ? price : 0, `${id} is ${state}`)
  }
  const dialled = [...outputs.matchAll(/"vendor_id":(\d+).*"msg":"call dialled"/g)].map((match) => Number(match[1]))
  assert(dialled.length > 0)
  assert.equal(new Set(dialled).size, dialled.length, 'a phone rang twice')
  for (const id of dialled) assert(byId.has(id), `${id} was dialled and is not in the database`)
  assert.deepEqual((await auditLedger(installation)).faults, [])
}
