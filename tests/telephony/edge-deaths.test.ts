// What dies while phones ring over the edge: the ringing ends by itself. The carrier's own record says how long each phone rang.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/stack/ports.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { type TestEdge, testEdge } from '../support/sip/edge.ts'
import type { DialerOrder } from '../support/sip/edge-dialer.ts'
import { createRingingCarrier } from '../support/sip/ringing-carrier.ts'

const calls = 20
const ringMs = 3_000
// The table of the edge expires by whole seconds.
const rangMsMax = ringMs + 3_000

const [edge, carrier] = await Promise.all([testEdge({ hepPort: 9, hepKey: 'none' }), createRingingCarrier()])
atEnd(async () => carrier.close())

test('our process is killed: the edge cancels', async () => {
  const dialer = await startDialer('killed')
  dialer.process.kill('SIGKILL')
  assertShort(await carrier.ends('killed', calls))
})

test('our process is frozen: the edge cancels, and the process sees the end when it runs again', async () => {
  const dialer = await startDialer('frozen')
  dialer.process.kill('SIGSTOP')
  assertShort(await carrier.ends('frozen', calls))
  dialer.process.kill('SIGCONT')
  assert.deepEqual(new Set(await dialer.ends()), new Set(['rang, us']))
})

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`the edge ends by ${signal} and is started again: our process cancels what rang`, async () => {
    const dialer = await startDialer(signal)
    await edge.kill(signal)
    await edge.start()
    assertShort(await carrier.ends(signal, calls))
    assert.deepEqual(new Set(await dialer.ends()), new Set(['rang, us']))
  })
}

test('our process and its edge are killed: the other edge of the pair cancels', async () => {
  const one = await testPair()
  const dialer = await startDialer('pair', one)
  // Nothing reports that the other edge has the copies.
  await sleep(1_000)
  dialer.process.kill('SIGKILL')
  await one.kill('SIGKILL')
  assertShort(await carrier.ends('pair', calls))
})

test('every call reached the carrier as one INVITE', () => {
  assert.deepEqual(carrier.repeatedCalls(), [])
})

function assertShort(rangMs: readonly number[]): void {
  assert.equal(rangMs.length, calls)
  assert(Math.max(...rangMs) <= rangMsMax, `rang ${Math.max(...rangMs)} ms`)
}

// One edge of a pair.
async function testPair(): Promise<TestEdge> {
  const [own, peer] = (await Promise.all([freePort(), freePort()])).map((port) => ({ host: '127.0.0.1', port }))
  assert(own && peer)
  const copies = { hepPort: 9, hepKey: 'none' }
  const one = await testEdge({ ...copies, pair: { own, peer } })
  await testEdge({ ...copies, pair: { own: peer, peer: own } })
  return one
}

// Resolves once all its calls ring, and it knows: an edge that is killed before takes the call with it.
async function startDialer(prefix: string, over = edge) {
  const order: DialerOrder = { ...over.site, carrier: carrier.address, prefix, calls, ringMs }
  const dialer = fork(new URL('../support/sip/edge-dialer.ts', import.meta.url), [JSON.stringify(order)])
  atEnd(async () => void dialer.kill('SIGKILL'))
  const messages: string[] = []
  dialer.on('message', (message) => messages.push(message as string))
  const endsSoFar = () => messages.filter((message) => message !== 'ringing')
  await poll('every phone to ring', () => messages.length === calls)
  return {
    process: dialer,
    // How each call went, as the process reports it.
    ends: async () => {
      await poll('every end', () => endsSoFar().length === calls)
      dialer.kill('SIGTERM')
      await once(dialer, 'exit')
      return endsSoFar()
    },
  }
}
