// What a flash call costs over the edge and over Asterisk, at the switch port, side by side; and how precisely phones ring at a thousand
// calls a second. Every figure is printed, including one that misses its limit. FLASH_LOAD_SECONDS shortens the long run.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { placeCall } from '../../server/src/engine/place-call.ts'
import { noCapture } from '../../server/src/telephony/sip-capture.ts'
import { atEnd } from '../support/at-end.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { testEdge } from '../support/sip/edge.ts'
import { edgeSwitch, edgeTrunk } from '../support/sip/edge-switch.ts'
import type { CarrierMessage } from '../support/sip/ringing-carrier-process.ts'
import { at } from '../support/times.ts'

const burstSeconds = 10
const longSeconds = Number(process.env['FLASH_LOAD_SECONDS'] ?? 600)
const longPerSecond = 1_000
// Asterisk keeps its timing up to 450 calls a second.
const asteriskPerSecondMax = 300

const [edge, asterisk, carrier] = await Promise.all([
  testEdge({ hepPort: 9, hepKey: 'none' }),
  testAsterisk(),
  startCarrier(),
])
const trunk = { ...edgeTrunk, address: carrier.address }
const overEdge = await edgeSwitch(edge.site, trunk)
atEnd(() => overEdge.close())
const overAsterisk = await asteriskSwitch({ ...asterisk, edge: undefined }, () => [trunk], { capture: noCapture })
const engines = {
  edge: { pids: () => groupOf(edge.pid()), phones: overEdge },
  asterisk: { pids: () => [asterisk.pid()], phones: overAsterisk },
} as const
type Engine = keyof typeof engines

test('CPU time of a flash call, edge beside Asterisk', async () => {
  const costs = new Map<string, number>()
  for (const perSecond of [100, 300, 1_000]) {
    for (const engine of ['asterisk', 'edge'] as const) {
      if (engine === 'asterisk' && perSecond > asteriskPerSecondMax) continue
      const { engineMs, nodeMs, lost } = await load(engine, perSecond, burstSeconds, 1_000)
      costs.set(`${engine} ${perSecond}`, engineMs)
      say(`${engine} at ${perSecond} calls/s: ${engineMs.toFixed(3)} ms, Node ${nodeMs.toFixed(3)} ms; ${lost} lost`)
      assert.equal(lost, 0)
    }
  }
  const edgeMs = costs.get('edge 1000') ?? Number.NaN
  const share = edgeMs / (costs.get(`asterisk ${asteriskPerSecondMax}`) ?? Number.NaN)
  say(`edge at 1000 calls/s: ${share.toFixed(3)} of Asterisk at ${asteriskPerSecondMax} calls/s`)
  assert(edgeMs <= 0.2, `${edgeMs} ms a call`)
  assert(share <= 1 / 8, `${share} of Asterisk`)
})

test(`${longPerSecond} calls/s for ${longSeconds} s, ringing 5 s: none lost, none rung twice, on time`, async () => {
  const { engineMs, nodeMs, lost, rangMs, repeated } = await load('edge', longPerSecond, longSeconds, 5_000)
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => at(rangMs, share))
  say(`${rangMs.length} calls: ${lost} lost, ${repeated} rung twice; rang p50 ${p50}, p99 ${p99}, max ${max} ms`)
  say(`edge ${engineMs.toFixed(3)} ms, Node ${nodeMs.toFixed(3)} ms a call`)
  assert.deepEqual([lost, repeated], [0, 0])
  assert((p99 ?? Number.NaN) <= 5_100, `p99 ${p99} ms`)
})

let loads = 0

async function load(engine: Engine, perSecond: number, seconds: number, ringMs: number) {
  const { pids, phones } = engines[engine]
  const calls = perSecond * seconds
  const user = `load${loads++}`
  let lost = 0
  const before = cpuMsOf(pids())
  const nodeBefore = process.cpuUsage()
  await evenly(perSecond, seconds, async (index) => {
    const { progress } = placeCall(
      { switch: phones, clock: realClock },
      {
        channelId: `${user}-${index}`,
        trunk: trunk.name,
        to: `7907${String(index % 10_000_000).padStart(7, '0')}`,
        from: '70000000001',
        mode: 'flash',
        code: '',
        language: 'ru',
        ringMs,
        countsEarlyMedia: false,
        callDeadlineMs: 55_000,
      },
    )
    const { rangAtMs, endedBy } = await progress
    if (rangAtMs === undefined || endedBy !== 'us') lost++
  })
  const node = process.cpuUsage(nodeBefore)
  const engineMs = (cpuMsOf(pids()) - before) / calls
  const { rangMs, repeated } = await carrier.rang(calls)
  return { engineMs, nodeMs: (node.user + node.system) / 1_000 / calls, lost, rangMs, repeated }
}

async function startCarrier() {
  const child = fork(new URL('../support/sip/ringing-carrier-process.ts', import.meta.url))
  atEnd(async () => void child.kill('SIGKILL'))
  const [said] = (await once(child, 'message')) as [CarrierMessage]
  let ended = 0
  return {
    address: said.kind === 'address' ? said.address : '',
    // How long the phones of the newest calls rang, shortest first.
    rang: async (calls: number) => {
      child.send({ user: '70000000001', calls: ended + calls })
      const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [CarrierMessage]
      assert(result.kind === 'rang', 'phones still ring, or never rang')
      const rangMs = result.rangMs.slice(ended).toSorted((one, other) => one - other)
      ended += calls
      return { rangMs, repeated: result.repeated }
    },
  }
}

// Every process of Kamailio is in the group of the first.
function groupOf(leader: number): readonly number[] {
  return globSync('/proc/[0-9]*/stat').flatMap((file) => {
    const fields = statOf(file)
    return Number(fields[2]) === leader ? [Number(file.split('/')[2])] : []
  })
}

// After the name, which may contain anything.
function statOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

// By the scheduler, in nanoseconds: ticks are too coarse for processes that mostly sleep.
function cpuMsOf(pids: readonly number[]): number {
  const threads = pids.flatMap((pid) => globSync(`/proc/${pid}/task/*/schedstat`))
  return threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]) / 1_000_000, 0)
}

async function evenly(perSecond: number, seconds: number, work: (index: number) => Promise<void>): Promise<void> {
  const startedMs = performance.now()
  const open = new Set<Promise<void>>()
  for (let index = 0; index < perSecond * seconds; index++) {
    const waitMs = (index * 1_000) / perSecond - (performance.now() - startedMs)
    if (waitMs > 1) await realClock.sleep(waitMs, AbortSignal.any([]))
    const call = work(index).finally(() => open.delete(call))
    open.add(call)
  }
  await Promise.all(open)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
