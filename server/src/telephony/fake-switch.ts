// A phone network in memory. The last three digits of the dialled number choose what becomes of the call:
//
//   180   rings until we hang up                    201   is answered without ringing
//   183   early media only, until we hang up        302   is refused with that status at once,
//   200   rings 2 s and is answered                 4xx   and so are these, but for the three
//   299   the same; the callee hangs up 1 s later   5xx   on the left
//   586   rings 2 s, then 486                       6xx
//   580   rings 2 s, then 480                       100   is being tried until we give up
//   581   rings 0.3 s, then 480                     000   silence, until SIP's timer B ends it
//
// Any other number does not exist: 404. A phone begins to ring a moment after it was dialled, as in life, so that a call
// can be seen that is dialled and does not ring yet.

import type { Clock } from '../clock.ts'
import { createLegEvents } from './leg-events.ts'
import type { Dial, InboundCall, Leg, LegEvent, Switch } from './switch.ts'

export type FakeSwitch = Switch & {
  // What was dialled, in its order, for tests to ask; of a very long run the latest part.
  readonly dialled: readonly Dial[]
  // Somebody calls one of our numbers, as their carrier spells it; resolves with what they heard.
  readonly callIn: (call: CallIn) => Promise<{ readonly rang: boolean; readonly status: 486 | 404 }>
}

type CallIn = Pick<InboundCall, 'trunk' | 'called' | 'from'> &
  Partial<Pick<InboundCall, 'asserted' | 'isWithheld' | 'divertedBy' | 'transport' | 'replyPath' | 'isConfirmed'>>

type Step = { readonly afterMs: number; readonly event: LegEvent }

const setupMs = 100
const digitMs = 500
const timerBMs = 6_000
const dialledMax = 100_000

const rings: Step = { afterMs: setupMs, event: { type: 'ringing' } }
const isAnswered: Step = { afterMs: 2_000, event: { type: 'answered' } }

// A scenario that does not end by itself stays as it is until we hang up.
const scenarios: Readonly<Record<string, readonly Step[]>> = {
  '180': [rings],
  '183': [{ afterMs: setupMs, event: { type: 'early-media' } }],
  '200': [rings, isAnswered],
  '299': [rings, isAnswered, { afterMs: 1_000, event: { type: 'ended', status: undefined, by: 'them' } }],
  '586': [rings, refusedWith(486, 2_000)],
  '580': [rings, refusedWith(480, 2_000)],
  '581': [rings, refusedWith(480, 300)],
  '201': [{ ...isAnswered, afterMs: setupMs }],
  '100': [],
  '000': [{ afterMs: timerBMs, event: { type: 'ended', status: undefined, by: 'nobody' } }],
}

export function createFakeSwitch(clock: Clock): FakeSwitch {
  const living = new Map<string, FakeLeg>()
  const dialled: Dial[] = []
  const inbound = createQueue<InboundCall>()
  let callsIn = 0
  let isClosed = false
  return {
    dialled,
    isReady: () => !isClosed,
    inbound: inbound.items,
    callIn: ({ asserted, isWithheld = false, divertedBy, ...call }) =>
      new Promise((resolve) => {
        let rang = false
        inbound.add({
          channelId: `in-${callsIn++}`,
          transport: 'udp',
          replyPath: 'direct',
          isConfirmed: Promise.resolve(true),
          ...call,
          asserted,
          isWithheld,
          divertedBy,
          ring: async () => {
            rang = true
          },
          reject: (status) => resolve({ rang, status }),
        })
      }),
    dial: (call) => {
      if (isClosed) throw new Error('dialled on a switch that is closed')
      if (living.has(call.channelId)) throw new Error(`the channel ${call.channelId} is dialled already`)
      if (dialled.length >= dialledMax) dialled.splice(0, dialledMax / 2)
      dialled.push(call)
      const leg = createLeg(clock, scenarioOf(call.to))
      living.set(call.channelId, leg)
      leg.over.addEventListener('abort', () => living.delete(call.channelId))
      return leg
    },
    close: async () => {
      isClosed = true
      inbound.end()
      for (const leg of living.values()) leg.hangUp()
    },
  }
}

type FakeLeg = Leg & { readonly over: AbortSignal }

function createLeg(clock: Clock, scenario: readonly Step[]): FakeLeg {
  const over = new AbortController()
  const legEvents = createLegEvents()
  let isUp = false
  const happen = (event: LegEvent) => {
    if (over.signal.aborted) return
    isUp ||= event.type === 'answered'
    legEvents.add(event)
    if (event.type === 'ended') over.abort()
  }
  play(clock, scenario, over.signal, happen)
  return {
    events: legEvents.events,
    over: over.signal,
    hangUp: () => happen({ type: 'ended', status: undefined, by: 'us' }),
    speak: async (digits) => {
      if (over.signal.aborted) return false
      if (!isUp) throw new Error('spoke into a call that nobody has answered')
      await clock.sleep(digits.length * digitMs, over.signal)
      return !over.signal.aborted
    },
  }
}

// Each step waits for the one before it, so that a busy machine may stretch a scenario and cannot shuffle it.
function play(clock: Clock, scenario: readonly Step[], over: AbortSignal, happen: (event: LegEvent) => void): void {
  const [step, ...rest] = scenario
  if (step === undefined) return
  const timer = clock.after(step.afterMs, () => {
    happen(step.event)
    play(clock, rest, over, happen)
  })
  over.addEventListener('abort', timer.stop)
}

// One reader, who gets every item in its order, also those from before it began to read.
function createQueue<T>(): { items: AsyncIterable<T>; add: (item: T) => void; end: () => void } {
  const waiting: T[] = []
  let isOver = false
  let news = Promise.withResolvers<void>()
  const emit = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  async function* items(): AsyncGenerator<T> {
    for (;;) {
      const item = waiting.shift()
      if (item !== undefined) yield item
      else if (isOver) return
      else await news.promise
    }
  }
  return {
    items: { [Symbol.asyncIterator]: items },
    add: (item) => {
      waiting.push(item)
      emit()
    },
    end: () => {
      isOver = true
      emit()
    },
  }
}

function scenarioOf(number: string): readonly Step[] {
  const digits = number.slice(-3)
  return scenarios[digits] ?? [refusedWith(/^(302|[456]\d\d)$/.test(digits) ? Number(digits) : 404, 0)]
}

function refusedWith(status: number, afterMs: number): Step {
  return { afterMs, event: { type: 'ended', status, by: 'them' } }
}
