import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callModes } from '@ringproof/contract/methods.ts'
import { outcomeOf } from '../../server/src/domain/verifications/call-outcome.ts'
import { placeCall } from '../../server/src/engine/trunks/place-call.ts'
import { type Clock, createClock } from '../../server/src/process/clock.ts'
import { createFakeSwitch } from '../../server/src/telephony/fake-switch.ts'
import type { Dial, Leg, LegEvent, Switch } from '../../server/src/telephony/switch.ts'
import { callFaults, callScenarios, callTo } from '../support/sip/call-scenarios.ts'

// The table distinguishes a third of a second from a second; a busy machine that plays it faster than real time does
// not.
const clock = createJumpingClock()

test('every scenario gives the specified outcome in every mode, at the specified times', async () => {
  assert.equal(callScenarios.length, 40 * callModes.length)
  assert.deepEqual(await callFaults(createFakeSwitch(clock), clock), [])
})

const seededViolations: readonly [name: string, faulty: (network: Switch) => Switch, fault: RegExp][] = [
  [
    'a number that does not exist keeps ringing',
    (network) => diverting(network, '404', '180'),
    /^404 flash: it came to succeeded:rang, not failed:refused$/,
  ],
  [
    'a call that breaks off keeps ringing',
    (network) => diverting(network, '581', '580'),
    /^581 mix: it came to succeeded:rang, not failed:broke-off$/,
  ],
  [
    'a dead carrier responds',
    (network) => diverting(network, '000', '408'),
    /^000 voice: it came to failed:refused, not failed:silence, next trunk$/,
  ],
  ['a hang-up has no effect', ignoringHangup, /^200 flash: an answered flash call went on/],
  ['a hang-up takes effect too late', ignoringHangup, /^180 flash: we hung up too late/],
  ['the code is spoken too fast', hasty, /^200 voice: the code was not spoken twice/],
]

for (const [name, faulty, fault] of seededViolations) {
  test(`the scenario table finds a seeded fault: ${name}`, async () => {
    const faults = await callFaults(faulty(createFakeSwitch(clock)), clock)
    assert(
      faults.some((one) => fault.test(one)),
      faults.join('\n'),
    )
  })
}

test('reports ringing while the call still rings', async () => {
  const network = createFakeSwitch(clock)
  const { rang, progress } = placeCall({ switch: network, clock }, callTo('180', 'flash'))
  const isOver = progress.then(() => 'over')
  assert.equal(await rang, true)
  assert.equal(await Promise.race([isOver, Promise.resolve('still ringing')]), 'still ringing')
  const { rangAtMs, endedAtMs } = await progress
  assert(rangAtMs !== undefined && endedAtMs - rangAtMs >= 5_000)
})

test('one second of ringing is never cut short by an early timer', async () => {
  const early: Clock = { ...clock, after: (durationMs, work) => clock.after(Math.max(1, durationMs - 3), work) }
  const network = createFakeSwitch(clock)
  const progress = await placeCall({ switch: network, clock: early }, { ...callTo('180', 'flash'), ringMs: 1_000 })
    .progress
  assert.equal(outcomeOf('flash', progress, false).reason, 'rang', JSON.stringify(progress))
})

test('timestamps are in product milliseconds, however fast the clock runs', async () => {
  const scaled = createClock(0.02)
  const network = createFakeSwitch(scaled)
  const { progress } = placeCall({ switch: network, clock: scaled }, callTo('200', 'voice'))
  const { rangAtMs = 0, answeredAtMs = 0, spokenAtMs = 0, endedAtMs } = await progress
  const passedMs = [answeredAtMs - rangAtMs, spokenAtMs - answeredAtMs, endedAtMs - spokenAtMs]
  // Each is two seconds; a timer may shorten it by a millisecond, and a busy machine may lengthen it.
  for (const ms of passedMs) assert(ms >= 1_900 && ms < 60_000, passedMs.join())
})

test('speaks the code twice in the requested language, and never in a flash call', async () => {
  const spoken: string[] = []
  const network = wrapping(createFakeSwitch(clock), (leg, { channelId }) => ({
    ...leg,
    speak: (digits, language) => {
      spoken.push(`${channelId} ${digits} ${language}`)
      return leg.speak(digits, language)
    },
  }))
  const place = (mode: 'flash' | 'voice' | 'mix') =>
    placeCall({ switch: network, clock }, { ...callTo('200', mode), language: 'kk' }).progress
  const [flash, voice, mix] = await Promise.all([place('flash'), place('voice'), place('mix')])
  assert.deepEqual(spoken.toSorted(), ['200-mix 4821 kk', '200-mix 4821 kk', '200-voice 4821 kk', '200-voice 4821 kk'])
  assert.deepEqual([flash.endedBy, voice.endedBy, mix.endedBy], ['us', 'us', 'us'])
  assert(mix.spokenAtMs !== undefined && voice.spokenAtMs !== undefined)
})

test('ends at its deadline, even if the switch stops responding', async () => {
  for (const network of [createFakeSwitch(clock), ignoringHangup(createFakeSwitch(clock))]) {
    const { rang, progress } = placeCall(
      { switch: network, clock },
      { ...callTo('180', 'voice'), callDeadlineMs: 3_000 },
    )
    assert.equal(await rang, true)
    const { endedAtMs, endedBy, status } = await progress
    assert.deepEqual({ endedAtMs, endedBy, status }, { endedAtMs: 3_000, endedBy: 'us', status: undefined })
  }
})

test('a switch that never reports the end of a call does not lead to the next trunk', async () => {
  const network = wrapping(createFakeSwitch(clock), (leg) => ({ ...leg, events: endless(leg.events) }))
  const { rang, progress } = placeCall({ switch: network, clock }, callTo('000', 'flash'))
  assert.equal(await rang, false)
  const decision = outcomeOf('flash', await progress, false)
  assert.deepEqual(decision, { succeeded: false, reason: 'no-ringing', mayTryNextTrunk: false })
})

test('ringing after counted early media restarts the ring time', async () => {
  const network = emitting([
    [100, { type: 'early-media' }],
    [4_900, { type: 'ringing' }],
  ])
  const { progress } = placeCall({ switch: network, clock }, { ...callTo('180', 'flash'), countsEarlyMedia: true })
  const { earlyMediaAtMs, rangAtMs, endedAtMs } = await progress
  assert.deepEqual([earlyMediaAtMs, rangAtMs, endedAtMs], [100, 5_000, 10_000])
  assert.equal(outcomeOf('flash', await progress, true).reason, 'rang')
})

test('ringing reported twice counts once, and early media after it changes nothing', async () => {
  const network = emitting([
    [100, { type: 'ringing' }],
    [3_000, { type: 'ringing' }],
    [1_000, { type: 'early-media' }],
  ])
  const { progress } = placeCall({ switch: network, clock }, { ...callTo('180', 'flash'), countsEarlyMedia: true })
  const { rangAtMs, endedAtMs } = await progress
  assert.deepEqual([rangAtMs, endedAtMs], [100, 5_100])
})

test('a subscriber who answers in the last second of ringing gets the whole code', async () => {
  const network = emitting([
    [100, { type: 'ringing' }],
    [24_500, { type: 'answered' }],
  ])
  const { answeredAtMs, spokenAtMs, endedAtMs } = await placeCall({ switch: network, clock }, callTo('200', 'voice'))
    .progress
  assert.deepEqual([answeredAtMs, spokenAtMs, endedAtMs], [24_600, 26_600, 28_600])
})

test('when the switch fails during a call, the call is hung up and the error is reported', async () => {
  let hungUp = 0
  const network = wrapping(createFakeSwitch(clock), (leg) => ({
    ...leg,
    hangUp: () => {
      hungUp += 1
      leg.hangUp()
    },
    speak: async () => {
      throw new Error('seeded')
    },
  }))
  const { rang, progress } = placeCall({ switch: network, clock }, callTo('201', 'voice'))
  await assert.rejects(progress, /seeded/)
  assert.equal(await rang, false)
  assert.equal(hungUp, 1)
})

test('a call the switch refuses to dial has no leg', async () => {
  const network = createFakeSwitch(clock)
  const first = placeCall({ switch: network, clock }, callTo('404', 'flash'))
  assert.throws(() => placeCall({ switch: network, clock }, callTo('404', 'flash')), /already dialled/)
  assert.equal((await first.progress).status, 404)
  assert.equal(network.dialled.length, 1)
})

function wrapping(network: Switch, wrap: (leg: Leg, call: Dial) => Leg): Switch {
  return { ...network, dial: (call) => wrap(network.dial(call), call) }
}

// Dials another scenario than the one asked for.
function diverting(network: Switch, scenario: string, other: string): Switch {
  const divert = (to: string) => (to.endsWith(scenario) ? `${to.slice(0, -scenario.length)}${other}` : to)
  return { ...network, dial: (call) => network.dial({ ...call, to: divert(call.to) }) }
}

function ignoringHangup(network: Switch): Switch {
  return wrapping(network, (leg) => ({ ...leg, hangUp: () => {} }))
}

function hasty(network: Switch): Switch {
  return wrapping(network, (leg) => ({ ...leg, speak: async () => true }))
}

async function* endless(events: AsyncIterable<LegEvent>): AsyncGenerator<LegEvent> {
  for await (const event of events) if (event.type !== 'ended') yield event
}

// Emits these events, each a time after the one before, and the end when it is hung up.
function emitting(script: readonly (readonly [afterMs: number, event: LegEvent])[]): Switch {
  const over = new AbortController()
  async function* events(): AsyncGenerator<LegEvent> {
    for (const [afterMs, event] of script) {
      await clock.sleep(afterMs, over.signal)
      if (!over.signal.aborted) yield event
    }
    await clock.sleep(60_000, over.signal)
    yield { type: 'ended', status: undefined, by: 'us' }
  }
  const speak = async () => {
    await clock.sleep(2_000, over.signal)
    return !over.signal.aborted
  }
  const leg: Leg = {
    events: events(),
    hangUp: () => over.abort(),
    speak,
    messages: async () => [],
    messagesSoFar: () => [],
  }
  return { ...createFakeSwitch(clock), dial: () => leg }
}

// Its time stands still while work is pending, and then jumps to the next timer.
function createJumpingClock(): Clock {
  let nowMs = 0
  let isJumping = false
  const waits = new Set<{ readonly atMs: number; readonly work: () => void }>()
  const jump = () => {
    const [first, ...others] = waits
    isJumping = first !== undefined
    if (first === undefined) return
    const next = others.reduce((soonest, one) => (one.atMs < soonest.atMs ? one : soonest), first)
    waits.delete(next)
    nowMs = next.atMs
    next.work()
    setImmediate(jump)
  }
  const after: Clock['after'] = (durationMs, work) => {
    const wait = { atMs: nowMs + Math.max(1, durationMs), work }
    waits.add(wait)
    if (!isJumping) setImmediate(jump)
    isJumping = true
    return { stop: () => void waits.delete(wait) }
  }
  const deadline: Clock['deadline'] = (durationMs) => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const wait = after(durationMs, resolve)
    const stop = () => {
      wait.stop()
      resolve()
    }
    return { over, stop }
  }
  return {
    monotonicMs: () => nowMs,
    timeOfDayMs: () => nowMs,
    scaledMs: (durationMs) => durationMs,
    after,
    every: () => assert.fail('a call uses no interval'),
    pause: () => assert.fail('a call polls nothing'),
    sleep: async (durationMs, signal) => {
      if (signal.aborted) return
      const { over, stop } = deadline(durationMs)
      signal.addEventListener('abort', stop)
      await over
    },
    deadline,
  }
}
