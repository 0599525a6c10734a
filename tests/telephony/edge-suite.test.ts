// Flash calls over the edge: the same outcomes as over Asterisk, and one INVITE a call at the carrier.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEvents } from '../../server/src/process/metrics/events.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { testCarrier } from '../support/sip/asterisk.ts'
import { realClock } from '../support/sip/asterisk-switch.ts'
import { testEdge } from '../support/sip/edge.ts'
import { edgeSwitch, edgeTrunk } from '../support/sip/edge-switch.ts'
import { keptAlive, said, take } from '../support/suites/switch.ts'

const [edge, carrier] = await Promise.all([testEdge({ hepPort: 9, hepKey: 'none' }), testCarrier()])
const network = await edgeSwitch(edge.site, carrier)
atEnd(() => network.close())

const progresses = {
  180: 'ringing; us',
  183: 'early-media; us',
  200: 'ringing, answered, us',
  586: 'ringing, 486 them',
  580: 'ringing, 480 them',
  201: 'answered, us',
  302: '302 them',
  400: '400 them',
  408: '408 them',
  486: '486 them',
  503: '503 them',
  603: '603 them',
  '000': 'nobody',
  100: '; us',
}

test('every scenario emits its events in order, and the carrier gets one INVITE', async () => {
  const seen = await Promise.all(
    Object.entries(progresses).map(async ([scenario, expected]) => {
      const leg = dial(scenario)
      const [natural = '', hungUp] = expected.split('; ')
      const count = natural.split(', ').filter(Boolean).length
      const events = count === 0 ? [] : await keptAlive(realClock, take(leg, count))
      if (hungUp !== undefined) {
        await poll('the INVITE', () => carrier.receivedAtMs().has(`79070000${scenario}`))
        leg.hangUp()
        events.push(...(await keptAlive(realClock, take(leg))).slice(count))
      }
      return [scenario, events.map(said).join(', ')] as const
    }),
  )
  assert.deepEqual(
    Object.fromEntries(seen),
    Object.fromEntries(Object.entries(progresses).map(([s, e]) => [s, e.replace(/^; /, '').replace(';', ',')])),
  )
  // A repetition of the same branch is the same INVITE.
  const invites = carrier.messages().filter((text) => text.startsWith('INVITE '))
  const branches = new Set(invites.map((text) => /;branch=(\S+)/.exec(text)?.[1]))
  const calls = new Set(invites.map((text) => /^Call-ID: (\S+)/im.exec(text)?.[1]))
  assert.deepEqual([calls.size, branches.size], [Object.keys(progresses).length, Object.keys(progresses).length])
})

test('metrics show calls in progress, an edge that is down, and its restart', async () => {
  const events = createEvents('test', () => 0)
  const shown = async () => {
    const found = (await events.exposition()).matchAll(/^ringproof_edge_(\w+) (\d+)$/gm)
    return Object.fromEntries([...found].map(([, name, value]) => [name, Number(value)]))
  }
  assert.deepEqual(await shown(), {})
  events.watchEdge(network.figures)
  assert.deepEqual(await shown(), { up: 1, legs: 0, restarts_total: 0 })
  const leg = dial('180')
  await keptAlive(realClock, take(leg, 1))
  assert.deepEqual(await shown(), { up: 1, legs: 1, restarts_total: 0 })
  await edge.kill('SIGKILL')
  await poll('the edge to be missed', shown, ({ up }) => up === 0)
  await edge.start()
  await poll('the edge to be back', shown, ({ up, legs }) => up === 1 && legs === 0)
  assert.deepEqual(await shown(), { up: 1, legs: 0, restarts_total: 1 })
})

function dial(scenario: string) {
  return network.dial({
    channelId: `events-${scenario}`,
    trunk: edgeTrunk.name,
    to: `79070000${scenario}`,
    from: '70000000000',
    originateTimeoutMs: 60_000,
    flashRingMs: 5_000,
  })
}
