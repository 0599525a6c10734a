// Tests of a switch and its leg events, shared by the scripted network and Asterisk.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../../server/src/process/clock.ts'
import type { Leg, LegEvent, Switch } from '../../../server/src/telephony/switch.ts'
import type { CallSide } from '../sip/call-scenarios.ts'

// The events of a leg without interference. Those that never end are hung up after these.
const progresses: readonly [scenarios: string[], events: string][] = [
  [['180'], 'ringing; us'],
  [['183'], 'early-media; us'],
  [['200'], 'ringing, answered; us'],
  [['299'], 'ringing, answered, them'],
  [['586'], 'ringing, 486 them'],
  [['580', '581'], 'ringing, 480 them'],
  [['201'], 'answered; us'],
  [['302'], '302 them'],
  [['400'], '400 them'],
  [['408'], '408 them'],
  [['486'], '486 them'],
  [['503'], '503 them'],
  [['603'], '603 them'],
  [['699'], '699 them'],
  [['001', '202', '301', '399', '700', '999'], '404 them'],
  [['000'], 'nobody'],
]

export function switchSuite(network: Switch, clock: Clock, side: CallSide): void {
  const dial = (scenario: string, name: string) =>
    network.dial({
      channelId: `${name}-${scenario}`,
      trunk: side.trunk,
      to: `${side.prefix}${scenario}`,
      from: side.from,
      originateTimeoutMs: 60_000,
    })

  test('every scenario emits its events in order', async () => {
    const legs = await Promise.all(
      progresses.flatMap(([scenarios, expected]) =>
        scenarios.map(
          async (scenario) =>
            [scenario, await progressOf(clock, dial(scenario, 'events'), expected), expected] as const,
        ),
      ),
    )
    for (const [scenario, received, expected] of legs) assert.equal(received, expected.replace(';', ','), scenario)
  })

  test('100 Trying lasts until we hang up, and a second hang-up emits no second end', async () => {
    const leg = dial('100', 'tried')
    const first = take(leg, 1)
    await clock.sleep(10_000, new AbortController().signal)
    leg.hangUp()
    leg.hangUp()
    assert.deepEqual((await keptAlive(clock, first)).map(said), ['us'])
    assert.deepEqual((await take(leg)).map(said), ['us'])
  })

  test('a leg hung up at once does not ring', async () => {
    const leg = dial('180', 'hasty')
    leg.hangUp()
    assert.deepEqual((await keptAlive(clock, take(leg))).map(said), ['us'])
  })

  test('speaks to the end, and is cut off when the callee hangs up', async () => {
    const answered = dial('200', 'answered')
    const hasty = dial('299', 'hasty')
    await keptAlive(clock, take(answered, 2))
    const startedMs = clock.monotonicMs()
    assert.equal(await answered.speak('4821', 'ru'), true)
    // Timers may be early by a fraction of a millisecond.
    assert(clock.monotonicMs() - startedMs >= clock.scaledMs(2_000) - 1)
    answered.hangUp()
    assert.equal(await keptAlive(clock, answered.speak('4821', 'ru')), false)
    await keptAlive(clock, take(hasty, 2))
    assert.equal(await hasty.speak('4821', 'ru'), false)
  })

  test('speaking into an unanswered call returns false', async () => {
    const leg = dial('180', 'unanswered')
    await assert.rejects(leg.speak('4821', 'ru'), /the call is not answered/)
    leg.hangUp()
    await keptAlive(clock, take(leg))
  })

  test('a live channel ID cannot be dialled again', async () => {
    const leg = dial('180', 'once')
    assert.throws(() => dial('180', 'once'), /already dialled/)
    leg.hangUp()
    await keptAlive(clock, take(leg))
    const again = dial('180', 'once')
    again.hangUp()
    await keptAlive(clock, take(again))
  })
}

async function progressOf(clock: Clock, leg: Leg, expected: string): Promise<string> {
  const [natural = '', hungUp] = expected.split('; ')
  const count = natural.split(', ').length
  const events = await keptAlive(clock, take(leg, count))
  if (hungUp !== undefined) {
    leg.hangUp()
    events.push(...(await keptAlive(clock, take(leg))).slice(count))
  }
  return events.map(said).join(', ')
}

export async function take(leg: Leg, count = Number.POSITIVE_INFINITY): Promise<LegEvent[]> {
  const events: LegEvent[] = []
  for await (const event of leg.events) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

// A leg alone does not keep the process alive.
export async function keptAlive<T>(clock: Clock, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const tooLong = clock
    .sleep(60_000, over.signal)
    .then(() => assert(over.signal.aborted, 'a leg emitted nothing for a minute'))
  try {
    await Promise.race([work, tooLong])
    return await work
  } finally {
    over.abort()
  }
}

export function said(event: LegEvent): string {
  if (event.type !== 'ended') return event.type
  return event.status === undefined ? event.by : `${event.status} ${event.by}`
}
