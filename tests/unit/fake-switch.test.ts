import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from '../../server/src/process/clock.ts'
import { createFakeSwitch, type FakeSwitch } from '../../server/src/telephony/fake-switch.ts'
import type { Leg } from '../../server/src/telephony/switch.ts'
import { keptAlive, said, switchSuite, take } from '../support/suites/switch.ts'

const clock = createClock(0.02)
const side = { trunk: 'scripted', from: '74950000000', prefix: '79000000' }

switchSuite(createFakeSwitch(clock), clock, side)

test('records what was dialled', async () => {
  const network = createFakeSwitch(clock)
  dial(network, '180').hangUp()
  await keptAlive(clock, take(dial(network, '404')))
  assert.deepEqual(
    network.dialled.map(({ channelId, to }) => [channelId, to]),
    [
      ['channel-180', '79000000180'],
      ['channel-404', '79000000404'],
    ],
  )
})

test('close hangs up live calls and refuses new ones', async () => {
  const network = createFakeSwitch(clock)
  assert.equal(network.isReady(), true)
  const legs = ['180', '000', '100'].map((scenario) => dial(network, scenario))
  await network.close()
  for (const leg of legs) assert.deepEqual((await take(leg)).map(said), ['us'])
  assert.throws(() => dial(network, '180'), /closed/)
  assert.equal(network.isReady(), false)
  for await (const call of network.inbound) assert.fail(`unexpected inbound call on ${call.trunk}`)
})

function dial(network: FakeSwitch, scenario: string): Leg {
  const { trunk, from, prefix } = side
  return network.dial({
    channelId: `channel-${scenario}`,
    trunk,
    to: `${prefix}${scenario}`,
    from,
    originateTimeoutMs: 60_000,
  })
}
