// A whole verification over the edge, from the HTTP request to the end of the call: how soon its INVITE leaves, and what CPU time it takes
// in every program. Every figure is printed, including one that misses its limit.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { cpuMsOf, treeOf } from '../support/process/cpu-time.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { realClock } from '../support/sip/asterisk-switch.ts'
import { at } from '../support/times.ts'

const seconds = 20
const inviteMsMax = 50
const costMsMax = 1.5

const asterisk = await testAsterisk()
assert(asterisk.edge, 'run it with --switch=edge')
const carrier = await testCarrier()
const phones = await installPhones(1, 1, { address: carrier.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }
const { base, running } = await serveProcess(installation, { RINGPROOF_FLASH_RING_SECONDS: '1' })
await running.says('"msg":"edge connected"')
await running.says('"msg":"ARI connected"')
const service = await makeService(installation, 1_000_000)
const programs = {
  ringproof: () => treeOf(running.process.pid ?? 0),
  edge: () => treeOf(asterisk.edge?.pid() ?? 0),
  postgresql: () => treeOf(serverNamed('postgres')),
  nats: () => treeOf(serverNamed('nats')),
}
let serial = 0

test('at 100 calls/s the INVITE reaches the carrier within 50 ms of acceptance at p99', async () => {
  await verify(20, 5)
  const acceptedAtMs = await verify(100, seconds)
  await realClock.sleep(2_000, AbortSignal.any([]))
  const receivedAtMs = carrier.receivedAtMs()
  const delays = [...acceptedAtMs].map(([phone, atMs]) => Math.max(0, (receivedAtMs.get(phone) ?? Number.NaN) - atMs))
  assert.equal(delays.some(Number.isNaN), false, 'an accepted call was not dialled')
  const sorted = delays.toSorted((one, other) => one - other)
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => at(sorted, share))
  say(`accept → INVITE: ${sorted.length} calls at 100/s, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`)
  assert((p99 ?? Number.NaN) <= inviteMsMax, `p99 ${p99} ms`)
})

test('CPU time of a verification at 200/s', async () => {
  const before = Object.values(programs).map((pids) => cpuMsOf(pids()))
  await verify(200, seconds)
  await realClock.sleep(2_000, AbortSignal.any([]))
  const costs = Object.entries(programs).map(
    ([name, pids], index) => [name, (cpuMsOf(pids()) - (before[index] ?? 0)) / (200 * seconds)] as const,
  )
  const sum = costs.reduce((all, [, ms]) => all + ms, 0)
  say(`${costs.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(' + ')} = ${sum.toFixed(2)} ms a verification`)
  assert(sum <= costMsMax, `${sum.toFixed(2)} ms`)
})

// Resolves with the time of each acceptance, by its number.
async function verify(perSecond: number, lasts: number): Promise<ReadonlyMap<string, number>> {
  const acceptedAtMs = new Map<string, number>()
  const open: Promise<void>[] = []
  const startedMs = performance.now()
  for (let index = 0; index < perSecond * lasts; index++) {
    const waitMs = (index * 1_000) / perSecond - (performance.now() - startedMs)
    if (waitMs > 1) await realClock.sleep(waitMs, AbortSignal.any([]))
    open.push(start(acceptedAtMs))
  }
  await Promise.all(open)
  return acceptedAtMs
}

async function start(acceptedAtMs: Map<string, number>): Promise<void> {
  // Its last digits let the phone ring.
  const phone = `7907${String(serial++).padStart(4, '0')}180`
  const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone } })
  assert.equal(asked.status, 200, asked.text)
  acceptedAtMs.set(phone, Date.now())
}

// As the stack has written it down: the boot of the machine, then the process as in /proc.
function serverNamed(name: string): number {
  return Number.parseInt(readFileSync(`.stack/run/${name}`, 'utf8').split('\n')[1] ?? '', 10)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
