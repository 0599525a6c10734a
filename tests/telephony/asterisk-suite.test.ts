// Asterisk with a real SIP carrier passes the same suite as the scripted network.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import type { InboundCall } from '../../server/src/telephony/switch.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { callFaults } from '../support/sip/call-scenarios.ts'
import { callIn } from '../support/sip/subscriber.ts'
import { switchSuite } from '../support/suites/switch.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const trunk = { ...trunkDefaults, name: 'carrier', address: carrier.address, channels: 1_000, callsPerSecond: 1_000 }
const isTimedByEdge = asterisk.edge !== undefined
const side = { trunk: trunk.name, from: '70000000000', prefix: '79070000', isTimedByEdge }
const network = await asteriskSwitch(asterisk, () => [trunk])

test('every scenario gives its specified outcome on time', async () => {
  assert.deepEqual(await callFaults(network, realClock, side), [])
})

switchSuite(network, realClock, side)

// A carrier's 302 makes Asterisk look up the new number; it must find nothing, and report no call.
test('a diversion by the carrier never comes in as a call', async () => {
  const next = network.inbound[Symbol.asyncIterator]().next()
  const leg = network.dial({
    channelId: 'diverted',
    trunk: trunk.name,
    to: '79070000302',
    from: side.from,
    originateTimeoutMs: 9_000,
    flashRingMs: 5_000,
  })
  for await (const event of leg.events) if (event.type === 'ended') assert.equal(event.status, 302)
  // A call placed afterwards comes in first, so the diversion did not come in before it.
  const statuses = callIn(asterisk.inboundPort, { called: '+70000010001', from: '<sip:+79070000001@carrier.example>' })
  const { value: call } = (await next) as { value: InboundCall }
  assert.equal(call.called, '+70000010001')
  call.reject(486)
  assert.equal((await statuses).at(-1), 486)
})
