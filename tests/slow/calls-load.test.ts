// How many calls one Asterisk handles, and how precise its timing is. It loads the machine for two minutes, and its
// limits are those of an idle machine. Every figure is printed, including one that misses its limit.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { placeCall } from '../../server/src/engine/trunks/place-call.ts'
import { ask } from '../support/http/ask.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { type TestAsterisk, testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { flashScenario } from '../support/sip/flash-scenario.ts'

const acceptedPerSecond = 20
const acceptedSeconds = 30
const callsPerSecond = 100
const bareSeconds = 20
const callSeconds = 60
const ringMs = 1_000
const ticksPerSecond = 100

const [asterisk, watched, carrier] = await Promise.all([
  testAsterisk(),
  testCarrier(),
  testCarrier(flashScenario, 'quiet'),
])
const phones = await installPhones(1, 1, { address: watched.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }

test(`at ${acceptedPerSecond} calls/s the INVITE reaches the carrier within 250 ms of acceptance at p99`, async () => {
  const { base, running } = await serveProcess(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
  await running.says('"msg":"ARI connected"')
  const service = await makeService(installation, 10_000)
  const acceptedAtMs = new Map<string, number>()
  await evenly(acceptedPerSecond, acceptedSeconds, async (index) => {
    const phone = `7907${String(index).padStart(4, '0')}180`
    const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone } })
    assert.equal(asked.status, 200, asked.text)
    acceptedAtMs.set(phone, Date.now())
  })
  await realClock.sleep(2_000, AbortSignal.any([]))
  const receivedAtMs = watched.receivedAtMs()
  const delays = [...acceptedAtMs].map(([phone, atMs]) => Math.max(0, (receivedAtMs.get(phone) ?? Number.NaN) - atMs))
  const { p50, p99, max } = spread(delays)
  say(`accept → INVITE: ${delays.length} calls, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`)
  running.process.kill('SIGTERM')
  await running.ended
  assert.equal(delays.some(Number.isNaN), false, 'an accepted call was not dialled')
  assert(p99 <= 250, `p99 is ${p99} ms`)
})

test(`one Asterisk sustains ${callsPerSecond} calls/s for ${callSeconds} s with precise ring times`, async () => {
  const trunk = { ...trunkDefaults, name: 'load', address: carrier.address, channels: 10_000, callsPerSecond: 1_000 }
  const network = await asteriskSwitch(asterisk, () => [trunk])
  // Before and after, because the speed of a shared machine changes.
  const bareOnce = (name: string) =>
    cpuOf(asterisk, callsPerSecond * bareSeconds, () => bareLoop(asterisk, name, bareSeconds))
  const bareBefore = await bareOnce('before')
  const errors: number[] = []
  const losses: string[] = []
  const ours = await cpuOf(asterisk, callsPerSecond * callSeconds, () =>
    evenly(callsPerSecond, callSeconds, async (index) => {
      const to = `7907${String(index % 10_000).padStart(4, '0')}180`
      const call = { channelId: `load-${index}`, trunk: 'load', to, from: '70000000001', mode: 'flash' } as const
      const { progress } = placeCall(
        { switch: network, clock: realClock },
        { ...call, code: '', language: 'ru', ringMs, countsEarlyMedia: false, callDeadlineMs: 55_000 },
      )
      const { rangAtMs, endedAtMs, endedBy, status } = await progress
      if (rangAtMs !== undefined && endedBy === 'us') errors.push(endedAtMs - rangAtMs - ringMs)
      else losses.push(`${rangAtMs === undefined ? 'never rang' : 'rang'}, ended by ${endedBy} with ${status}`)
    }),
  )
  const { p50, p99, max } = spread(errors)
  const bare = (bareBefore + (await bareOnce('after'))) / 2
  const ratio = ours / bare
  say(
    `${callsPerSecond} calls/s for ${callSeconds} s: ${losses.length} lost; ring time late by p50 ${p50}, p99 ${p99}, max ${max} ms`,
  )
  say(`Asterisk: ${ours.toFixed(2)} ms of CPU a call, bare loop ${bare.toFixed(2)} ms, ratio ${ratio.toFixed(2)}`)
  assert.deepEqual(losses, [])
  assert(p99 <= 200, `ring time is late by ${p99} ms at p99`)
  assert(ratio <= 1.2, `${ratio.toFixed(2)} times the CPU of the bare loop`)
})

// The minimal flash call: dial, wait for ringing, hang up a second later.
async function bareLoop({ site }: TestAsterisk, name: string, seconds: number): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${site.ariUser}:${site.ariPassword}`).toString('base64')}`
  const socket = new WebSocket(`ws://127.0.0.1:${site.ariPort}/ari/events?app=bare`, { headers: { authorization } })
  const send = (method: string, uri: string) =>
    socket.send(JSON.stringify({ type: 'RESTRequest', transaction_id: uri, request_id: uri, method, uri }))
  const ends = new Map<string, () => void>()
  const ringing = new Set<string>()
  socket.on('message', (text: Buffer) => {
    const event = JSON.parse(text.toString()) as {
      type: string
      dialstatus?: string
      peer?: { id: string }
      channel?: { id: string }
    }
    const id = event.peer?.id ?? event.channel?.id ?? ''
    if (event.type === 'ChannelDestroyed') ends.get(id)?.()
    if (event.dialstatus !== 'RINGING' || ringing.has(id)) return
    ringing.add(id)
    realClock.after(ringMs, () => send('DELETE', `channels/${id}?reason_code=16`))
  })
  await new Promise((resolve) => socket.on('open', resolve))
  await evenly(callsPerSecond, seconds, (index) => {
    const id = `bare-${name}-${index}`
    const number = `7907${String(index % 10_000).padStart(4, '0')}180`
    const ended = new Promise<void>((resolve) => ends.set(id, resolve))
    send('POST', `channels?endpoint=PJSIP/${number}@load&app=bare&channelId=${id}&callerId=70000000001&timeout=28`)
    return ended
  })
  socket.close()
}

// CPU milliseconds of Asterisk per call.
async function cpuOf(node: TestAsterisk, calls: number, work: () => Promise<void>): Promise<number> {
  const spent = () => {
    const fields = readFileSync(`/proc/${node.pid()}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
  }
  const before = spent()
  await work()
  return (spent() - before) / calls
}

// Starts this many a second, and waits for all of them.
async function evenly(perSecond: number, seconds: number, work: (index: number) => Promise<void>): Promise<void> {
  const startedMs = performance.now()
  const all: Promise<void>[] = []
  for (let index = 0; index < perSecond * seconds; index++) {
    const dueMs = (index * 1_000) / perSecond
    const waitMs = dueMs - (performance.now() - startedMs)
    if (waitMs > 0) await realClock.sleep(waitMs, AbortSignal.any([]))
    all.push(work(index))
  }
  await Promise.all(all)
}

function spread(values: readonly number[]): { readonly p50: number; readonly p99: number; readonly max: number } {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN)
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
