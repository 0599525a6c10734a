// What a flash call costs over the edge and over Asterisk, at the switch port, side by side; and how precisely phones ring at a thousand
// calls a second. Every figure is printed, including one that misses its limit. FLASH_LOAD_SECONDS shortens the long run.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { atEnd } from '../support/at-end.ts'
import { cpuMsOf, treeOf } from '../support/process/cpu-time.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { testEdge } from '../support/sip/edge.ts'
import type { FlashLoad, FlashLoadResult } from '../support/sip/flash-load-process.ts'
import type { CarrierMessage } from '../support/sip/ringing-carrier-process.ts'
import { at } from '../support/times.ts'

const burstSeconds = 10
const longSeconds = Number(process.env['FLASH_LOAD_SECONDS'] ?? 600)
const longPerSecond = 1_000
// Asterisk keeps its timing up to 450 calls a second.
const asteriskPerSecondMax = 300

// Without what the runner loads into its processes: that follows every promise, and the garbage collector stops them for half a second.
const bare = { execArgv: ['--disable-warning=ExperimentalWarning'] }

const copies = await startSink()
const [edge, asterisk, carrier] = await Promise.all([
  testEdge({ hepPort: copies.port, hepKey: 'none' }),
  testAsterisk(),
  startCarrier(),
])
const engines = {
  edge: { pids: () => treeOf(edge.pid()), over: { edge: edge.site } },
  asterisk: { pids: () => [asterisk.pid()], over: { asterisk: asterisk.site } },
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

const longTest = { timeout: (longSeconds + 300) * 1_000 }

test(
  `${longPerSecond} calls/s for ${longSeconds} s, ringing 5 s: none lost, none rung twice, on time`,
  longTest,
  async () => {
    const stolenBefore = stolenMs()
    const { lost, rangMs, repeated, ...own } = await load('edge', longPerSecond, longSeconds, 5_000)
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => at(rangMs, share))
    say(`${rangMs.length} calls: ${lost} lost, ${repeated} rung twice; rang p50 ${p50}, p99 ${p99}, max ${max} ms`)
    say(`edge ${own.engineMs.toFixed(3)} ms, Node ${own.nodeMs.toFixed(3)} ms a call`)
    const [ours, carriers] = [own.pauseMs, own.carrierPauseMs].map(Math.round)
    const stolen = (100 * (stolenMs() - stolenBefore)) / (longSeconds * 1_000 * availableParallelism())
    say(
      `longest pauses: Node ${ours}, carrier ${carriers} ms; ${stolen.toFixed(1)} % of the CPU went to other machines`,
    )
    assert.deepEqual([lost, repeated], [0, 0])
    assert((p99 ?? Number.NaN) <= 5_100, `p99 ${p99} ms`)
  },
)

let loads = 0

async function load(engine: Engine, perSecond: number, seconds: number, ringMs: number) {
  const { pids, over } = engines[engine]
  const calls = perSecond * seconds
  const order: FlashLoad = { over, carrier: carrier.address, name: `load${loads++}`, perSecond, seconds, ringMs }
  const before = cpuMsOf(pids())
  const child = fork(new URL('../support/sip/flash-load-process.ts', import.meta.url), [JSON.stringify(order)], bare)
  const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [FlashLoadResult | number]
  assert(typeof result === 'object', 'the process that places calls ended')
  const engineMs = (cpuMsOf(pids()) - before) / calls
  const rang = await carrier.rang(calls)
  return { ...result, engineMs, ...rang, lost: Math.max(result.lost, calls - rang.rangMs.length) }
}

// Copies of SIP messages go to an open port, as in an installation: the kernel answers each packet to a closed one.
async function startSink() {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4_096 })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.unref()
  atEnd(async () => socket.close())
  return { port: socket.address().port }
}

async function startCarrier() {
  const child = fork(new URL('../support/sip/ringing-carrier-process.ts', import.meta.url), bare)
  atEnd(async () => void child.kill('SIGKILL'))
  const [said] = (await once(child, 'message')) as [CarrierMessage]
  let ended = 0
  return {
    address: said.kind === 'address' ? said.address : '',
    // How long the phones of the newest calls rang, shortest first.
    rang: async (calls: number) => {
      child.send({ user: '70000000001', calls: ended + calls })
      const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [CarrierMessage]
      assert(result.kind === 'rang')
      const rangMs = result.rangMs.slice(ended).toSorted((one, other) => one - other)
      ended += rangMs.length
      return { rangMs, repeated: result.repeated, carrierPauseMs: result.pauseMs }
    },
  }
}

// Of all cores, since the start of the machine, in ticks of ten milliseconds.
function stolenMs(): number {
  return Number(readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/)[8]) * 10
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
