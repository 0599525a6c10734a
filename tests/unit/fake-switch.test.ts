import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClock } from '../../server/src/clock.ts'
import { type FakeSwitch, openFakeSwitch } from '../../server/src/telephony/fake-switch.ts'
import type { Leg, LegEvent } from '../../server/src/telephony/switch.ts'

const clock = openClock(0.02)

// What a leg tells when nobody interferes. Those that go on for ever are hung up when this was told.
const stories: readonly [fates: string[], events: string][] = [
  [['180'], 'ringing; us'],
  [['183'], 'early-media; us'],
  [['200'], 'ringing, answered; us'],
  [['299'], 'ringing, answered, them'],
  [['586'], 'ringing, 486 them'],
  [['580', '581'], 'ringing, 480 them'],
  [['201'], 'answered; us'],
  [['302'], '302 them'],
  [['400'], '400 them'],
  [['486'], '486 them'],
  [['503'], '503 them'],
  [['603'], '603 them'],
  [['699'], '699 them'],
  [['001', '202', '301', '399', '700', '999'], '404 them'],
  [['000'], 'nobody'],
]

for (const [fates, expected] of stories) {
  test(`${fates.join(', ')}: ${expected}`, async () => {
    const network = openFakeSwitch(clock)
    const [natural = '', hungUp] = expected.split('; ')
    const count = natural.split(', ').length
    for (const fate of fates) {
      const leg = dial(network, fate)
      const events = await keptAlive(take(leg, count))
      if (hungUp !== undefined) {
        leg.hangUp()
        events.push(...(await keptAlive(take(leg))).slice(count))
      }
      assert.equal(events.map(said).join(', '), expected.replace(';', ','), fate)
    }
  })
}

test('100 is being tried until we hang up, and whoever hangs up twice hears of one end', async () => {
  const leg = dial(openFakeSwitch(clock), '100')
  const first = take(leg, 1)
  await clock.sleep(10_000, new AbortController().signal)
  leg.hangUp()
  leg.hangUp()
  assert.deepEqual((await first).map(said), ['us'])
  assert.deepEqual((await take(leg)).map(said), ['us'])
})

test('a call does not ring before it was dialled for a moment', async () => {
  const leg = dial(openFakeSwitch(clock), '180')
  leg.hangUp()
  assert.deepEqual((await take(leg)).map(said), ['us'])
})

test('speaks half a second a digit, and is broken off when the callee hangs up', async () => {
  const network = openFakeSwitch(clock)
  const patient = dial(network, '200')
  await keptAlive(take(patient, 2))
  const startedMs = clock.monotonicMs()
  assert.equal(await patient.speak('4821', 'ru'), true)
  // Timers may be early by a part of a millisecond.
  assert(clock.monotonicMs() - startedMs >= clock.scaledMs(2_000) - 1)
  patient.hangUp()
  assert.equal(await patient.speak('4821', 'ru'), false)

  const hasty = dial(network, '299')
  await keptAlive(take(hasty, 2))
  assert.equal(await hasty.speak('4821', 'ru'), false)
})

test('nobody speaks into a call that was not answered', async () => {
  const leg = dial(openFakeSwitch(clock), '180')
  await assert.rejects(leg.speak('4821', 'ru'), /nobody has answered/)
  leg.hangUp()
})

test('remembers what was dialled, and dials no channel twice while it lives', async () => {
  const network = openFakeSwitch(clock)
  const first = dial(network, '180')
  assert.throws(() => dial(network, '180'), /dialled already/)
  first.hangUp()
  const refused = dial(network, '180')
  assert.deepEqual(
    network.dialled.map(({ channelId, to }) => [channelId, to]),
    [
      ['channel-180', '79000000180'],
      ['channel-180', '79000000180'],
    ],
  )
  refused.hangUp()
  await keptAlive(take(dial(network, '404')))
  await keptAlive(take(dial(network, '404')))
})

test('closing hangs up what lives, and nothing is dialled afterwards', async () => {
  const network = openFakeSwitch(clock)
  const legs = ['180', '000', '100'].map((fate) => dial(network, fate))
  await network.close()
  for (const leg of legs) assert.deepEqual((await take(leg)).map(said), ['us'])
  assert.throws(() => dial(network, '180'), /closed/)
})

function dial(network: FakeSwitch, fate: string): Leg {
  return network.dial({
    channelId: `channel-${fate}`,
    trunk: 'scripted',
    to: `79000000${fate}`,
    from: '74950000000',
    giveUpMs: 60_000,
  })
}

async function take(leg: Leg, count = Number.POSITIVE_INFINITY): Promise<LegEvent[]> {
  const events: LegEvent[] = []
  for await (const event of leg.events) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

// A leg alone keeps no process alive.
async function keptAlive<T>(work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const tooLong = clock.sleep(60_000, over.signal).then(() => assert(over.signal.aborted, 'waited in vain for a leg'))
  try {
    await Promise.race([work, tooLong])
    return await work
  } finally {
    over.abort()
  }
}

function said(event: LegEvent): string {
  if (event.type !== 'ended') return event.type
  return event.status === undefined ? event.by : `${event.status} ${event.by}`
}
