// Flash calls over the edge while processes are killed and packets are lost: no call reaches the carrier twice, and no phone rings much
// longer than it may. EDGE_FAULTS_SEED repeats a run, EDGE_FAULTS_CALLS shortens it.

import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { createRandom } from '../crash/plan.ts'
import { atEnd } from '../support/at-end.ts'
import { testEdge } from '../support/sip/edge.ts'
import type { DialerOrder } from '../support/sip/edge-dialer.ts'
import { createLossyLink } from '../support/sip/lossy-link.ts'
import { createRingingCarrier } from '../support/sip/ringing-carrier.ts'
import { at } from '../support/times.ts'

const seed = Number(process.env['EDGE_FAULTS_SEED'] ?? 1)
const callsMin = Number(process.env['EDGE_FAULTS_CALLS'] ?? 2_000)
const random = createRandom(seed)
const ringMs = 2_000
const rangMsMax = ringMs + 3_000
const batch = 50

const [edge, carrier] = await Promise.all([testEdge({ hepPort: 9, hepKey: 'none' }), createRingingCarrier()])
atEnd(async () => carrier.close())

for (const [title, loss, kills] of [
  ['15 % of packets are lost', 0.15, false],
  ['the process or the edge is killed', 0, true],
  ['both', 0.15, true],
] as const) {
  test(`${title}: one INVITE a call, and no phone rings on`, async () => {
    const link = await createLossyLink(carrier.address, loss, random)
    const before = carrier.rangSoFar().length
    for (let placed = 0; placed < callsMin / 3; placed += batch) await round(link.address, kills)
    const rangMs = carrier
      .rangSoFar()
      .slice(before)
      .toSorted((one, other) => one - other)
    const late = rangMs.filter((ms) => ms > rangMsMax)
    const figures = [0.5, 0.99, 1].map((share) => at(rangMs, share)).join(', ')
    process.stdout.write(
      `${title}: ${rangMs.length} phones rang, p50, p99, max ${figures} ms; ${late.length} longer than ${rangMsMax} ms; ${link.lost()} packets lost; seed ${seed}\n`,
    )
    link.close()
    assert.deepEqual(carrier.repeatedCalls(), [])
    assert.equal(carrier.stillRinging(), 0)
    assert.deepEqual(late, [])
  })
}

let rounds = 0

// A process places calls; at some moment it or the edge is killed. The other one ends what rings.
async function round(address: string, kills: boolean): Promise<void> {
  const order: DialerOrder = { ...edge.site, carrier: address, prefix: `round${rounds++}`, calls: batch, ringMs }
  const dialer = fork(new URL('../support/sip/edge-dialer.ts', import.meta.url), [JSON.stringify(order)])
  const ends = countEnds(dialer)
  await once(dialer, 'message')
  if (kills) {
    await new Promise((resolve) => setTimeout(resolve, random() * ringMs))
    if (random() < 0.5) dialer.kill('SIGKILL')
    else {
      await edge.kill('SIGKILL')
      await edge.start()
    }
  }
  await Promise.race([ends, once(dialer, 'exit')])
  // If both were gone, nobody would cancel.
  await carrier.quiet().finally(() => dialer.kill('SIGKILL'))
}

async function countEnds(dialer: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let ends = 0
  dialer.on('message', (message) => {
    if (message !== 'ringing') ends++
    if (ends === batch) resolve()
  })
  return promise
}
