// Places one call and follows it to its end. The switch reports events; this is what we do on each:
//
//   dialled            Wait 20 s for ringing.
//   ringing            A flash call is hung up when its ring time is over. A voice or mix call may ring for 25 s: the
//                      documented 5 s limit is for flash calls, and 5 s is too short to answer and listen to a code.
//   early media        Counts as ringing if the trunk is set so, else ignored. Real ringing (180) afterwards restarts the
//                      ring time, because the outcome counts from there too.
//   answered           A flash call is hung up at once. Otherwise the code is spoken twice, then we hang up.
//
// The progress always ends by callDeadlineMs, even if the switch sends nothing more. outcomeOf decides what it means.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { CallOrder, CallRoute } from '../../domain/verifications/call-order.ts'
import type { CallProgress } from '../../domain/verifications/call-outcome.ts'
import { answerTimeoutMs, ringTimeoutMs } from '../../domain/verifications/verification.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Dial, Leg, LegEvent, Switch } from '../../telephony/switch.ts'

export type OutgoingCall = Omit<Dial, 'originateTimeoutMs' | 'flashRingMs'> & {
  readonly mode: CallMode
  readonly code: string
  readonly language: Parameters<Leg['speak']>[1]
  // Flash calls only.
  readonly ringMs: number
  readonly countsEarlyMedia: boolean
  // Counted from dialling.
  readonly callDeadlineMs: number
}

export type PlacedCall = {
  // True as soon as the phone rings, false if the call ends without ringing.
  readonly rang: Promise<boolean>
  readonly answered: Promise<boolean>
  readonly progress: Promise<CallProgress>
  readonly messages: Leg['messages']
  readonly messagesSoFar: Leg['messagesSoFar']
}

const timesSpoken = 2
// The switch times out this much later than we do.
const backstopMs = 3_000

// Throws if the switch refuses to dial: then there was no call.
export function placeCall(
  deps: { readonly switch: Pick<Switch, 'dial'>; readonly clock: Clock },
  call: OutgoingCall,
): PlacedCall {
  const { channelId, trunk, to, from } = call
  const elapsedMs = createStopwatch(deps.clock)
  const timeoutMs = ringTimeoutMs + (call.mode === 'flash' ? call.ringMs : answerTimeoutMs) + backstopMs
  const leg = deps.switch.dial({
    channelId,
    trunk,
    to,
    from,
    originateTimeoutMs: Math.min(timeoutMs, call.callDeadlineMs),
    flashRingMs: call.mode === 'flash' ? call.ringMs : undefined,
  })
  const rang = Promise.withResolvers<boolean>()
  const answered = Promise.withResolvers<boolean>()
  const progress = follow(leg, call, deps.clock, elapsedMs, { rang, answered }).finally(() => {
    rang.resolve(false)
    answered.resolve(false)
  })
  return {
    rang: rang.promise,
    answered: answered.promise,
    progress,
    messages: leg.messages,
    messagesSoFar: leg.messagesSoFar,
  }
}

// leftMs is the real time until the call deadline.
export type PlaceOrder = (order: CallOrder, route: CallRoute, leftMs: number) => PlacedCall | Promise<PlacedCall>

type DialDeps = {
  readonly switch: Pick<Switch, 'dial'>
  readonly flashRingSeconds: number
  readonly timeScale: number
  readonly clock: Clock
  readonly log: Logger
}

// Dials orders over their trunk.
export function createDialler(deps: DialDeps): PlaceOrder {
  return (order, route, leftMs) => {
    const { id, attempt, number, mode, code, language } = order
    deps.log.info({ vendor_id: id, attempt, trunk: route.trunk }, 'call dialled')
    return placeCall(deps, {
      channelId: `${id}-${attempt}`,
      trunk: route.trunk,
      to: number,
      from: String(route.callerNumber ?? ''),
      mode,
      code,
      language,
      ringMs: (route.ringSeconds ?? deps.flashRingSeconds) * 1_000,
      countsEarlyMedia: route.countsEarlyMedia,
      // In product time, less one second to write the end.
      callDeadlineMs: leftMs / deps.timeScale - 1_000,
    })
  }
}

type Draft = { -readonly [Name in keyof CallProgress]: CallProgress[Name] | undefined }

async function follow(
  leg: Leg,
  call: OutgoingCall,
  clock: Clock,
  elapsedMs: () => number,
  { rang, answered }: Record<'rang' | 'answered', PromiseWithResolvers<boolean>>,
): Promise<CallProgress> {
  const progress: Draft = {
    rangAtMs: undefined,
    earlyMediaAtMs: undefined,
    answeredAtMs: undefined,
    spokenAtMs: undefined,
    endedAtMs: undefined,
    status: undefined,
    endedBy: undefined,
  }
  const timeout = createHangUpTimer(clock, elapsedMs, leg.hangUp)
  // Also keeps the process alive during the call.
  const deadline = clock.deadline(call.callDeadlineMs)
  const followEvents = async () => {
    timeout.hangUpAt(ringTimeoutMs)
    for await (const event of leg.events) {
      if (recordEvent(progress, event, elapsedMs(), call.countsEarlyMedia)) {
        timeout.hangUpAt(elapsedMs() + (call.mode === 'flash' ? call.ringMs : answerTimeoutMs))
        rang.resolve(true)
      }
      if (event.type === 'answered') {
        timeout.stop()
        answered.resolve(true)
      }
      if (event.type === 'ended') break
    }
    answered.resolve(false)
  }
  const speakCode = async () => {
    if (!(await answered.promise)) return
    for (let times = call.mode === 'flash' ? 0 : timesSpoken; times > 0; times -= 1) {
      if (!(await leg.speak(call.code, call.language))) return
      progress.spokenAtMs ??= elapsedMs()
    }
    leg.hangUp()
  }
  try {
    await Promise.race([Promise.all([followEvents(), speakCode()]), deadline.over])
  } finally {
    deadline.stop()
    timeout.stop()
    leg.hangUp()
  }
  // Without an end event, we ended the leg: after that ending no other trunk is tried.
  return { ...progress, endedAtMs: progress.endedAtMs ?? elapsedMs(), endedBy: progress.endedBy ?? 'us' }
}

// True if the phone started to ring with this event.
function recordEvent(progress: Draft, event: LegEvent, nowMs: number, countsEarlyMedia: boolean): boolean {
  switch (event.type) {
    case 'ringing':
      if (progress.rangAtMs !== undefined || progress.answeredAtMs !== undefined) return false
      progress.rangAtMs = nowMs
      return true
    case 'early-media':
      if (progress.earlyMediaAtMs !== undefined || progress.answeredAtMs !== undefined) return false
      progress.earlyMediaAtMs = nowMs
      return countsEarlyMedia && progress.rangAtMs === undefined
    case 'answered':
      progress.answeredAtMs ??= nowMs
      return false
    case 'ended':
      progress.endedAtMs = nowMs
      progress.status = event.status
      progress.endedBy = event.by
      return false
  }
}

// Hangs up at a given time of the call; a later call of hangUpAt moves that time. A timer may fire a little early by the
// stopwatch, so it is set again: ringing for one second must last one second.
function createHangUpTimer(clock: Clock, elapsedMs: () => number, hangUp: () => void) {
  let timer: { readonly stop: () => void } | undefined
  const hangUpAt = (atMs: number) => {
    timer?.stop()
    timer = clock.after(atMs - elapsedMs(), () => (elapsedMs() < atMs ? hangUpAt(atMs) : hangUp()))
  }
  return { hangUpAt, stop: () => timer?.stop() }
}

// Whole milliseconds of product time since now: timeouts are scaled by timeScale, so measured time is scaled back.
function createStopwatch(clock: Clock): () => number {
  const sampleMs = 1_000_000
  const scale = clock.scaledMs(sampleMs) / sampleMs
  const startedMs = clock.monotonicMs()
  return () => Math.floor((clock.monotonicMs() - startedMs) / scale)
}
