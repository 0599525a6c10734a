// A phone network in memory. The last three digits of the dialled number select the scenario:
//
//   180   rings until we hang up                    201   is answered without ringing
//   183   early media only, until we hang up        302   is refused with that status at once,
//   200   rings 2 s and is answered                 4xx   likewise
//   299   the same; the callee hangs up 1 s later   5xx   likewise, except the three on the left
//   586   rings 2 s, then 486                       6xx   likewise
//   580   rings 2 s, then 480                       100   trying (100) until we hang up
//   581   rings 0.3 s, then 480                     000   no reply, until SIP timer B ends it
//
// Any other number does not exist: 404. Ringing starts 100 ms after dialling, so that tests can observe a call that is
// dialled but not yet ringing.

import type { Clock } from '../process/clock.ts'
import { createInboundQueue } from './inbound-queue.ts'
import { createLegEvents } from './leg-events.ts'
import type { Dial, InboundCall, Leg, LegEvent, Switch } from './switch.ts'

export type FakeSwitch = Switch & {
  // The dialled calls in order, for tests; in a very long run only the latest.
  readonly dialled: readonly Dial[]
  // Simulates a call to one of our numbers, spelled as the carrier would; resolves with what the caller got.
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
const answered: Step = { afterMs: 2_000, event: { type: 'answered' } }

// A scenario without an 'ended' step lasts until we hang up.
const scenarios: Readonly<Record<string, readonly Step[]>> = {
  '180': [rings],
  '183': [{ afterMs: setupMs, event: { type: 'early-media' } }],
  '200': [rings, answered],
  '299': [rings, answered, { afterMs: 1_000, event: { type: 'ended', status: undefined, by: 'them' } }],
  '586': [rings, refusedWith(486, 2_000)],
  '580': [rings, refusedWith(480, 2_000)],
  '581': [rings, refusedWith(480, 300)],
  '201': [{ ...answered, afterMs: setupMs }],
  '100': [],
  '000': [{ afterMs: timerBMs, event: { type: 'ended', status: undefined, by: 'nobody' } }],
}

export function createFakeSwitch(clock: Clock): FakeSwitch {
  const active = new Map<string, FakeLeg>()
  const dialled: Dial[] = []
  const inbound = createInboundQueue()
  let inboundCount = 0
  let isClosed = false
  return {
    dialled,
    isReady: () => !isClosed,
    inbound: inbound.calls,
    callIn: ({ asserted, isWithheld = false, divertedBy, ...call }) =>
      new Promise((resolve) => {
        let rang = false
        inbound.add({
          channelId: `in-${inboundCount++}`,
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
          handled: () => undefined,
        })
      }),
    dial: (call) => {
      if (isClosed) throw new Error('the switch is closed')
      if (active.has(call.channelId)) throw new Error(`channel ${call.channelId} is already dialled`)
      if (dialled.length >= dialledMax) dialled.splice(0, dialledMax / 2)
      dialled.push(call)
      const leg = createLeg(clock, scenarioOf(call.to))
      active.set(call.channelId, leg)
      leg.over.addEventListener('abort', () => active.delete(call.channelId))
      return leg
    },
    close: async () => {
      isClosed = true
      inbound.close()
      for (const leg of active.values()) leg.hangUp()
    },
  }
}

type FakeLeg = Leg & { readonly over: AbortSignal }

function createLeg(clock: Clock, scenario: readonly Step[]): FakeLeg {
  const over = new AbortController()
  const legEvents = createLegEvents()
  let isUp = false
  const emit = (event: LegEvent) => {
    if (over.signal.aborted) return
    isUp ||= event.type === 'answered'
    legEvents.add(event)
    if (event.type === 'ended') over.abort()
  }
  play(clock, scenario, over.signal, emit)
  return {
    events: legEvents.events,
    over: over.signal,
    hangUp: () => emit({ type: 'ended', status: undefined, by: 'us' }),
    messages: async () => [],
    messagesSoFar: () => [],
    speak: async (digits) => {
      if (over.signal.aborted) return false
      if (!isUp) throw new Error('cannot speak: the call is not answered')
      await clock.sleep(digits.length * digitMs, over.signal)
      return !over.signal.aborted
    },
  }
}

// Each step waits for the previous one: a busy machine may stretch a scenario but cannot reorder it.
function play(clock: Clock, scenario: readonly Step[], over: AbortSignal, emit: (event: LegEvent) => void): void {
  const [step, ...rest] = scenario
  if (step === undefined) return
  const timer = clock.after(step.afterMs, () => {
    emit(step.event)
    play(clock, rest, over, emit)
  })
  over.addEventListener('abort', timer.stop)
}

function scenarioOf(number: string): readonly Step[] {
  const digits = number.slice(-3)
  return scenarios[digits] ?? [refusedWith(/^(302|[456]\d\d)$/.test(digits) ? Number(digits) : 404, 0)]
}

function refusedWith(status: number, afterMs: number): Step {
  return { afterMs, event: { type: 'ended', status, by: 'them' } }
}
