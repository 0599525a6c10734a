import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callModes } from '@ringproof/contract/methods.ts'
import { type Clock, createClock } from '../../server/src/clock.ts'
import { outcomeOf } from '../../server/src/domain/calls/call-outcome.ts'
import { placeCall } from '../../server/src/engine/place-call.ts'
import { createFakeSwitch } from '../../server/src/telephony/fake-switch.ts'
import type { Dial, Leg, LegEvent, Switch } from '../../server/src/telephony/switch.ts'
import { callFaults, callScenarios, callTo } from '../support/sip/call-scenarios.ts'

// The table tells a third of a second from a whole one, and a busy machine that plays it in shortened seconds does not.
const clock = createJumpingClock()

test('every scenario gives the decided decision in every mode, at the decided times', async () => {
  assert.equal(callScenarios.length, 40 * callModes.length)
  assert.deepEqual(await callFaults(createFakeSwitch(clock), clock), [])
})

const seededViolations: readonly [name: string, faulty: (network: Switch) => Switch, fault: RegExp][] = [
  [
    'a number that does not exist rings for ever',
    (network) => diverting(network, '404', '180'),
    /^404 flash: it came to succeeded:rang, not failed:refused$/,
  ],
  [
    'a call that breaks off rings on',
    (network) => diverting(network, '581', '580'),
    /^581 mix: it came to succeeded:rang, not failed:broke-off$/,
  ],
  [
    'a dead carrier gives an response',
    (network) => diverting(network, '000', '408'),
    /^000 voice: it came to failed:refused, not failed:silence, next trunk$/,
  ],
  ['nothing can be hung up', deaf, /^200 flash: an answered flash call went on/],
  ['what is hung up ends too late', deaf, /^180 flash: we hung up too late/],
  ['the code is spoken in no time', hasty, /^200 voice: the code was not spoken twice/],
]

for (const [name, faulty, fault] of seededViolations) {
  test(`the table finds a seeded fault: ${name}`, async () => {
    const faults = await callFaults(faulty(createFakeSwitch(clock)), clock)
    assert(
      faults.some((one) => fault.test(one)),
      faults.join('\n'),
    )
  })
}

test('tells that it rang while it still rings', async () => {
  const network = createFakeSwitch(clock)
  const { rang, progress } = placeCall({ switch: network, clock }, callTo('180', 'flash'))
  const isOver = progress.then(() => 'over')
  assert.equal(await rang, true)
  assert.equal(await Promise.race([isOver, Promise.resolve('still ringing')]), 'still ringing')
  const { rangAtMs, endedAtMs } = await progress
  assert(rangAtMs !== undefined && endedAtMs - rangAtMs >= 5_000)
})

test('a second of ringing is a whole second, though timers may be early', async () => {
  const early: Clock = { ...clock, after: (durationMs, work) => clock.after(Math.max(1, durationMs - 3), work) }
  const network = createFakeSwitch(clock)
  const progress = await placeCall({ switch: network, clock: early }, { ...callTo('180', 'flash'), ringMs: 1_000 })
    .progress
  assert.equal(outcomeOf('flash', progress, false).reason, 'rang', JSON.stringify(progress))
})

test('tells the moments in milliseconds of the product, however short its seconds are', async () => {
  const scaled = createClock(0.02)
  const network = createFakeSwitch(scaled)
  const { progress } = placeCall({ switch: network, clock: scaled }, callTo('200', 'voice'))
  const { rangAtMs = 0, answeredAtMs = 0, spokenAtMs = 0, endedAtMs } = await progress
  const passedMs = [answeredAtMs - rangAtMs, spokenAtMs - answeredAtMs, endedAtMs - spokenAtMs]
  // Each is two seconds, which a timer may cut by a millisecond and a busy machine may stretch.
  for (const ms of passedMs) assert(ms >= 1_900 && ms < 60_000, passedMs.join())
})

test('speaks the code twice, in the language asked for, and in a flash call never', async () => {
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

test('ends by its end, and also when the switch falls silent', async () => {
  for (const network of [createFakeSwitch(clock), deaf(createFakeSwitch(clock))]) {
    const { rang, progress } = placeCall(
      { switch: network, clock },
      { ...callTo('180', 'voice'), callDeadlineMs: 3_000 },
    )
    assert.equal(await rang, true)
    const { endedAtMs, endedBy, status } = await progress
    assert.deepEqual({ endedAtMs, endedBy, status }, { endedAtMs: 3_000, endedBy: 'us', status: undefined })
  }
})

test('a switch that tells no end leads to no other trunk', async () => {
  const network = wrapping(createFakeSwitch(clock), (leg) => ({ ...leg, events: endless(leg.events) }))
  const { rang, progress } = placeCall({ switch: network, clock }, callTo('000', 'flash'))
  assert.equal(await rang, false)
  const decision = outcomeOf('flash', await progress, false)
  assert.deepEqual(decision, { succeeded: false, reason: 'no-ringing', mayTryNextTrunk: false })
})

test('ringing after counted early media begins the ring time again', async () => {
  const network = telling([
    [100, { type: 'early-media' }],
    [4_900, { type: 'ringing' }],
  ])
  const { progress } = placeCall({ switch: network, clock }, { ...callTo('180', 'flash'), countsEarlyMedia: true })
  const { earlyMediaAtMs, rangAtMs, endedAtMs } = await progress
  assert.deepEqual([earlyMediaAtMs, rangAtMs, endedAtMs], [100, 5_000, 10_000])
  assert.equal(outcomeOf('flash', await progress, true).reason, 'rang')
})

test('ringing that is told twice is ringing once, and early media after it changes nothing', async () => {
  const network = telling([
    [100, { type: 'ringing' }],
    [3_000, { type: 'ringing' }],
    [1_000, { type: 'early-media' }],
  ])
  const { progress } = placeCall({ switch: network, clock }, { ...callTo('180', 'flash'), countsEarlyMedia: true })
  const { rangAtMs, endedAtMs } = await progress
  assert.deepEqual([rangAtMs, endedAtMs], [100, 5_100])
})

test('who answers in the last second of the ringing hears the code out', async () => {
  const network = telling([
    [100, { type: 'ringing' }],
    [24_500, { type: 'answered' }],
  ])
  const { answeredAtMs, spokenAtMs, endedAtMs } = await placeCall({ switch: network, clock }, callTo('200', 'voice'))
    .progress
  assert.deepEqual([answeredAtMs, spokenAtMs, endedAtMs], [24_600, 26_600, 28_600])
})

test('a switch that fails in the middle is hung up, and the failure is told', async () => {
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

test('what the switch refuses to dial is no call', async () => {
  const network = createFakeSwitch(clock)
  const first = placeCall({ switch: network, clock }, callTo('404', 'flash'))
  assert.throws(() => placeCall({ switch: network, clock }, callTo('404', 'flash')), /dialled already/)
  assert.equal((await first.progress).status, 404)
  assert.equal(network.dialled.length, 1)
})

function wrapping(network: Switch, wrap: (leg: Leg, call: Dial) => Leg): Switch {
  return { ...network, dial: (call) => wrap(network.dial(call), call) }
}

// Whoever calls the one scenario meets the other.
function diverting(network: Switch, scenario: string, other: string): Switch {
  const divert = (to: string) => (to.endsWith(scenario) ? `${to.slice(0, -scenario.length)}${other}` : to)
  return { ...network, dial: (call) => network.dial({ ...call, to: divert(call.to) }) }
}

function deaf(network: Switch): Switch {
  return wrapping(network, (leg) => ({ ...leg, hangUp: () => {} }))
}

function hasty(network: Switch): Switch {
  return wrapping(network, (leg) => ({ ...leg, speak: async () => true }))
}

async function* endless(events: AsyncIterable<LegEvent>): AsyncGenerator<LegEvent> {
  for await (const event of events) if (event.type !== 'ended') yield event
}

// Tells these events, each some time after the one before, and the end when it is hung up.
function telling(script: readonly (readonly [afterMs: number, event: LegEvent])[]): Switch {
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
  const leg: Leg = { events: events(), hangUp: () => over.abort(), speak }
  return { ...createFakeSwitch(clock), dial: () => leg }
}

// Its time stands still while anything is being done, and then jumps to the next wait.
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
  return {
    monotonicMs: () => nowMs,
    timeOfDayMs: () => nowMs,
    scaledMs: (durationMs) => durationMs,
    after,
    every: () => assert.fail('no call does anything again and again'),
    sleep: async (durationMs, signal) => {
      if (signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const wait = after(durationMs, resolve)
      signal.addEventListener('abort', () => {
        wait.stop()
        resolve()
      })
      await promise
    },
  }
}
