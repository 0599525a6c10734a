// One call, from dialling to its end. The switch tells what happens; here is what we do about it:
//
//   dialled            Ringing is awaited for 20 s.
//   ringing            A flash call is hung up when its ring time is over. A voice or mix call may ring for 25 s: "cancelled
//                      after 5 s" is said of flash calls, and in 5 s nobody would come to hear the spoken half of a mix.
//   early media        Ringing where the trunk is set to count it, else nothing. True ringing that follows begins the
//                      ring time again, since the decision counts from there too.
//   answered           A flash call is hung up at once. Else the code is spoken twice, and then we hang up.
//
// Whatever happens, also when the switch falls silent, the progress ends by callDeadlineMs. What it means is said by outcomeOf.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { Clock } from '../clock.ts'
import type { CallProgress } from '../domain/calls/call-outcome.ts'
import { ringTimeoutMs } from '../domain/calls/verification.ts'
import type { Dial, Leg, LegEvent, Switch } from '../telephony/switch.ts'

export type OutgoingCall = Omit<Dial, 'originateTimeoutMs'> & {
  readonly mode: CallMode
  readonly code: string
  readonly language: Parameters<Leg['speak']>[1]
  // Of a flash call.
  readonly ringMs: number
  readonly countsEarlyMedia: boolean
  // Counted from dialling.
  readonly callDeadlineMs: number
}

export type PlacedCall = {
  // True as soon as the phone rings, false when the call has ended without.
  readonly rang: Promise<boolean>
  readonly progress: Promise<CallProgress>
}

const answerMs = 25_000
const speakings = 2
// By how much the switch is more patient than we are.
const backstopMs = 3_000

// Throws when the switch refuses to dial at all: then there was no call.
export function placeCall(deps: { readonly switch: Switch; readonly clock: Clock }, call: OutgoingCall): PlacedCall {
  const { channelId, trunk, to, from } = call
  const passedMs = createStopwatch(deps.clock)
  const timeoutMs = ringTimeoutMs + (call.mode === 'flash' ? call.ringMs : answerMs) + backstopMs
  const leg = deps.switch.dial({
    channelId,
    trunk,
    to,
    from,
    originateTimeoutMs: Math.min(timeoutMs, call.callDeadlineMs),
  })
  const rang = Promise.withResolvers<boolean>()
  const progress = follow(leg, call, deps.clock, passedMs, () => rang.resolve(true)).finally(() => rang.resolve(false))
  return { rang: rang.promise, progress }
}

type Draft = { -readonly [Name in keyof CallProgress]: CallProgress[Name] | undefined }

async function follow(
  leg: Leg,
  call: OutgoingCall,
  clock: Clock,
  passedMs: () => number,
  reportRinging: () => void,
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
  const timeout = createHangUpTimer(clock, passedMs, leg.hangUp)
  const answered = Promise.withResolvers<boolean>()
  const over = new AbortController()
  const hear = async () => {
    timeout.lastUntil(ringTimeoutMs)
    for await (const event of leg.events) {
      if (note(progress, event, passedMs(), call.countsEarlyMedia)) {
        timeout.lastUntil(passedMs() + (call.mode === 'flash' ? call.ringMs : answerMs))
        reportRinging()
      }
      if (event.type === 'answered') {
        timeout.stop()
        answered.resolve(true)
      }
      if (event.type === 'ended') break
    }
    answered.resolve(false)
  }
  const talk = async () => {
    if (!(await answered.promise)) return
    for (let times = call.mode === 'flash' ? 0 : speakings; times > 0; times -= 1) {
      if (!(await leg.speak(call.code, call.language))) return
      progress.spokenAtMs ??= passedMs()
    }
    leg.hangUp()
  }
  try {
    // This sleep also keeps the process alive while the call is.
    await Promise.race([Promise.all([hear(), talk()]), clock.sleep(call.callDeadlineMs, over.signal)])
  } finally {
    over.abort()
    timeout.stop()
    leg.hangUp()
  }
  // A leg whose end we have not heard was ended by us: that is the ending after which no other trunk is tried.
  return { ...progress, endedAtMs: progress.endedAtMs ?? passedMs(), endedBy: progress.endedBy ?? 'us' }
}

// True when the phone began to ring with this event.
function note(progress: Draft, event: LegEvent, nowMs: number, countsEarlyMedia: boolean): boolean {
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

// Hangs up at a moment of the call, unless told another moment before. A timer may fire a little early by the stopwatch;
// ringing that is to last a second must last a second.
function createHangUpTimer(clock: Clock, passedMs: () => number, hangUp: () => void) {
  let timer: { readonly stop: () => void } | undefined
  const lastUntil = (atMs: number) => {
    timer?.stop()
    timer = clock.after(atMs - passedMs(), () => (passedMs() < atMs ? lastUntil(atMs) : hangUp()))
  }
  return { lastUntil, stop: () => timer?.stop() }
}

// Whole milliseconds of the product since now: where its waits are scaled, what is measured is scaled back.
function createStopwatch(clock: Clock): () => number {
  const sampleMs = 1_000_000
  const scale = clock.scaledMs(sampleMs) / sampleMs
  const startedMs = clock.monotonicMs()
  return () => Math.floor((clock.monotonicMs() - startedMs) / scale)
}
