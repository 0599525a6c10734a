// Forged datagrams at both sides of the edge. From the address of a carrier: the process that places calls, and reads the copies of all
// messages, goes on, and calls end on time.
// From the inside address of the edge: not one event is believed.

import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { placeCall } from '../../server/src/engine/trunks/place-call.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import type { Edge } from '../../server/src/telephony/edge/edge.ts'
import { edgeKeys, signatureOf } from '../../server/src/telephony/edge/key.ts'
import { outsideCopies } from '../../server/src/telephony/edge/outside-copies.ts'
import { createReturnPath } from '../../server/src/telephony/edge/return-path.ts'
import { createSipCapture } from '../../server/src/telephony/sip/capture.ts'
import { createSignalReader } from '../../server/src/telephony/sip/trunk-signals.ts'
import type { InboundCall } from '../../server/src/telephony/switch.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { testEdge } from '../support/sip/edge.ts'
import { edgeSwitch, edgeTrunk } from '../support/sip/edge-switch.ts'
import type { Flood } from '../support/sip/flood-process.ts'
import { createRingingCarrier } from '../support/sip/ringing-carrier.ts'

const stallMsMax = 50
const seconds = 10
const perSecond = 1_000
const callsPerSecond = 10
const ringMs = 2_000
const forgedEvents = 100_000
// As deploy/edge/kamailio.cfg has it.
const messageBytesMax = 8_192

const clock = createClock(1)
const [hepPort, carrier] = await Promise.all([freePort(), createRingingCarrier()])
const edge = await testEdge({ hepPort, hepKey: 'key' })
atEnd(async () => carrier.close())

for (const [what, bytes, longPart] of [
  ['60 kB', 60_000, 'header'],
  ['8 kB', 8_000, 'header'],
  ['8 kB that is read', 8_000, 'body'],
] as const) {
  test(`${perSecond} forged INVITEs a second of ${what}: the loop goes on, and calls end on time`, async (t) => {
    const network = await edgeSwitch(edge.site, { address: carrier.address })
    const copies = readCopies()
    t.after(() => Promise.all([network.close(), copies.close()]))
    const read = countCalls(network)
    const before = await rangOfCalls(network, 3, 'before')
    const idle = fork(new URL('../support/sip/idle-loop-process.ts', import.meta.url))
    await once(idle, 'message')
    idle.send('start')
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const busy = watchBusy()
    const flood = startFlood({ port: edge.site.sipPort, perSecond, seconds, bytes, longPart })
    const [[tookSeconds], during] = await Promise.all([
      once(flood, 'message') as Promise<[number]>,
      rangOfCalls(network, seconds, `during-${bytes}-${longPart}`),
    ])
    delay.disable()
    const busyMs = busy.stop()
    const stallMs = delay.max / 1e6
    idle.send('stop')
    const [{ maxMs: idleMs, p99Ms }] = (await once(idle, 'message')) as [{ maxMs: number; p99Ms: number }]
    const [slowest, slowestBefore] = [Math.max(...during), Math.max(...before)]
    const rounded = (ms: number) => `${Math.round(ms)} ms`
    t.diagnostic(
      `${seconds * perSecond} INVITEs in ${tookSeconds.toFixed(1)} s, ${read().calls} were read, and ${copies.count()} copies; ` +
        `stalls ${rounded(stallMs)} at most and p99 ${rounded(delay.percentile(99) / 1e6)}, of an idle process ${rounded(idleMs)} ` +
        `and ${rounded(p99Ms)}; ${rounded(busyMs)} of CPU at once at most; ${during.length} phones rang ${rounded(slowest)} at most, ` +
        `${rounded(slowestBefore)} before`,
    )
    assert.equal(read().calls > 0, longPart === 'body')
    assert.equal(read().confirmed, 0)
    assert(busyMs <= stallMsMax, `the loop worked for ${busyMs} ms without a pause`)
    assert.equal(during.length, seconds * callsPerSecond)
    // One that is not refused at once costs the edge, too: on few cores, how long a process waits for one of them is not its own doing.
    if (bytes <= messageBytesMax) return
    // What stopped the idle process stopped this one, too.
    assert(stallMs <= stallMsMax + idleMs, `the loop stood still for ${stallMs} ms`)
    assert(slowest <= Math.max(slowestBefore, ringMs) + 500 + idleMs, `a phone rang for ${slowest} ms`)
  })
}

test(`none of ${forgedEvents} forged events is believed, and a genuine one is`, async (t) => {
  const network = await edgeSwitch(edge.site, { address: '127.0.0.1:9' })
  const read = countCalls(network)
  // The address of the edge is free now: an attacker sends from it, and reads all that our process sends to it.
  await edge.kill('SIGKILL')
  const attacker = await bound(edge.site.insidePort)
  atEnd(async () => void attacker.close())
  let [node, nonce] = [{ port: 0, address: '' }, '']
  attacker.on('message', (packet, from) => {
    node = from
    nonce = /^X-Edge-Nonce: (\S+)/m.exec(packet.toString('latin1'))?.[1] ?? nonce
  })
  await poll('the process to say where calls may come from', () => nonce !== '')
  const { keys } = edge.site
  const genuine = eventOf(-1)
  // Of another event of this process, and of this event for another process.
  const recorded = [signatureOf(keys, nonce, genuine), signatureOf(keys, '0'.repeat(64), eventOf(0))]
  for (let n = 0; n < forgedEvents; n++) {
    const event = eventOf(n)
    const signatures = [recorded[0], recorded[1], '0'.repeat(64), signatureOf(edgeKeys('guessed'), nonce, event)]
    attacker.send(n % 5 === 4 ? event : `${signatures[n % 5]} ${event}`, node.port, node.address)
    if (n % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  assert.deepEqual(read(), { calls: 0, confirmed: 0 })
  attacker.send(`${recorded[0]} ${genuine}`, node.port, node.address)
  await poll('the genuine event', () => read().confirmed === 1)
  assert.deepEqual(read(), { calls: 1, confirmed: 1 })
  t.diagnostic(`0 of ${forgedEvents} forged events confirmed a call, 1 of 1 genuine ones`)
  await network.close()
})

// As the process beside Asterisk does.
function readCopies(): { readonly count: () => number; readonly close: () => Promise<void> } {
  let copies = 0
  const counter = { add: () => void copies++ }
  const place = { host: edge.site.insideHost, port: edge.site.insidePort }
  const readers = [createSipCapture({ clock }), createSignalReader(clock), counter]
  const reader = createReturnPath({
    port: hepPort,
    key: 'of Asterisk',
    readers: [],
    edge: { ...outsideCopies(place, readers), key: 'key' },
    clock,
    log: createLog({ write: () => undefined }),
  })
  return { count: () => copies, close: reader.close }
}

// The longest CPU time of this thread between two turns of its event loop: neighbours do not count.
function watchBusy(): { readonly stop: () => number } {
  let longestMs = 0
  let before = cpuMs()
  const turn = () => {
    const now = cpuMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
  }
  const turning = setInterval(turn, 1)
  return {
    stop: () => {
      clearInterval(turning)
      return longestMs
    },
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

// The processes of the edge end one after another.
async function bound(port: number): Promise<Socket> {
  const listening: Socket[] = []
  const bind = async () => {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4_000_000 }).bind(port, '127.0.0.1')
    await once(socket, 'listening').then(
      () => listening.push(socket),
      () => undefined,
    )
    return listening[0]
  }
  await poll('the address of the edge', bind, Boolean)
  const [socket] = listening
  assert(socket)
  return socket
}

function eventOf(n: number): string {
  const tag = (n + 1).toString(16).padStart(32, '0')
  const invite = [
    'INVITE sip:+70000010001@127.0.0.1 SIP/2.0',
    'Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKx',
    'From: <sip:+79070000001@carrier.example>;tag=x',
    '\r\n',
  ]
  return `confirmed ${tag}|udp|127.0.0.1|5060|${tag}|\r\n${invite.join('\r\n')}`
}

function countCalls({ inbound }: Edge): () => { readonly calls: number; readonly confirmed: number } {
  let [calls, confirmed] = [0, 0]
  const decide = async ({ isConfirmed, handled }: InboundCall) => {
    if (await isConfirmed) confirmed += 1
    handled()
  }
  const count = async () => {
    for await (const call of inbound) {
      calls += 1
      decide(call).catch(assert.ifError)
    }
  }
  count().catch(assert.ifError)
  return () => ({ calls, confirmed })
}

// How long each phone rang.
async function rangOfCalls(network: Edge, forSeconds: number, prefix: string): Promise<readonly number[]> {
  const from = carrier.rangSoFar().length
  const calls = Array.from({ length: forSeconds * callsPerSecond }, async (_, index) => {
    await clock.sleep((index * 1_000) / callsPerSecond, new AbortController().signal)
    const { progress } = placeCall(
      { switch: network, clock },
      {
        channelId: `${prefix}-${index}`,
        trunk: edgeTrunk.name,
        to: `7907000${String(1_000 + index)}`,
        from: '70000000000',
        mode: 'flash',
        code: '0000',
        language: 'ru',
        ringMs,
        countsEarlyMedia: false,
        callDeadlineMs: 55_000,
      },
    )
    await progress
  })
  await Promise.all(calls)
  await carrier.quiet()
  return carrier.rangSoFar().slice(from)
}

function startFlood(flood: Flood): ChildProcess {
  const child = fork(new URL('../support/sip/flood-process.ts', import.meta.url), [JSON.stringify(flood)])
  atEnd(async () => void child.kill('SIGKILL'))
  return child
}
