// Flash calls over the edge: the same outcomes as over Asterisk, and one INVITE a call at the carrier.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createLog } from '../../server/src/log.ts'
import { createEdge } from '../../server/src/telephony/edge.ts'
import { noCapture } from '../../server/src/telephony/sip-capture.ts'
import { atEnd } from '../support/at-end.ts'
import { testCarrier } from '../support/sip/asterisk.ts'
import { realClock } from '../support/sip/asterisk-switch.ts'
import { testEdge } from '../support/sip/edge.ts'
import { keptAlive, said, take } from '../support/suites/switch.ts'

const [edge, carrier] = await Promise.all([testEdge({ hepPort: 9, hepKey: 'none' }), testCarrier()])
const trunk = { ...trunkDefaults, name: 'carrier', address: carrier.address, channels: 1_000, callsPerSecond: 1_000 }
const network = createEdge({
  host: edge.site.insideHost,
  port: edge.site.insidePort,
  callsPerSecond: 1_000,
  trunks: () => [trunk],
  passwordOf: () => undefined,
  capture: noCapture,
  clock: realClock,
  log: createLog({ write: () => undefined }),
})
atEnd(() => network.close())
await network.opened

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
        await realClock.sleep(500, AbortSignal.any([]))
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
})

function dial(scenario: string) {
  return network.dial({
    channelId: `events-${scenario}`,
    trunk: trunk.name,
    to: `79070000${scenario}`,
    from: '70000000000',
    originateTimeoutMs: 60_000,
    flashRingMs: 5_000,
  })
}
