// Asterisk and a real SIP carrier pass what the scripted network passes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { ownSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { callFaults } from '../support/sip/call-scenarios.ts'
import { switchSuite } from '../support/suites/switch.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const trunk = { ...trunkDefaults, name: 'carrier', address: carrier.address, channels: 1_000, callsPerSecond: 1_000 }
const side = { trunk: trunk.name, from: '70000000000', prefix: '79070000' }
const network = await ownSwitch(asterisk, () => [trunk])

test('every scenario comes to the decided decision, in its time', async () => {
  assert.deepEqual(await callFaults(network, realClock, side), [])
})

switchSuite(network, realClock, side)

// A carrier's 302 makes Asterisk look for the new number; it must find nothing, and nobody must be told of a call.
test('a diversion by the carrier never comes in as a call', async () => {
  const calls = network.inbound[Symbol.asyncIterator]().next()
  const leg = network.dial({
    channelId: 'diverted',
    trunk: trunk.name,
    to: '79070000302',
    from: side.from,
    originateTimeoutMs: 9_000,
  })
  for await (const event of leg.events) if (event.type === 'ended') assert.equal(event.status, 302)
  assert.equal(await Promise.race([calls, realClock.sleep(500, AbortSignal.any([]))]), undefined)
})
