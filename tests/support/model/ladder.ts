// The life of a ladder as the head of server/src/domain/verifications/ladder.ts describes it, in memory. Numbers and money are another
// matter: every call is accepted that the ladder allows.

import { callDeadlineMs, startDeadlineMs } from '../../../server/src/domain/verifications/verification.ts'

export const ladderModes = ['flash', 'voice', 'inbound'] as const
export type LadderMode = (typeof ladderModes)[number]

export const waitMs = 30_000
export const leaseMs = 5_000

export type LadderCall = {
  readonly mode: LadderMode
  state: 'accepted' | 'dialling' | 'succeeded' | 'failed'
  attempt: number
  rang: boolean
  reason: string | null
  readonly startUntilMs: number
  readonly endUntilMs: number
}

export type ModelLadder = {
  state: 'pending' | 'approved' | 'failed' | 'expired' | 'cancelled'
  reason: string | null
  readonly number: number
  readonly modes: readonly LadderMode[]
  modesLeft: LadderMode[]
  readonly calls: LadderCall[]
  readonly checksMax: number
  // Of each evaluated code: its key, and whether it was right.
  readonly checked: { readonly key: number | undefined; readonly isRight: boolean }[]
  readonly silenceMs: number | undefined
  readonly startedAtMs: number
  readonly expiresAtMs: number
  dueAtMs: number
  approvedCall: number | undefined
}

export type LadderStep =
  | {
      readonly type: 'start'
      readonly modes: readonly LadderMode[]
      readonly checks: number
      readonly silenceSeconds: number | undefined
      readonly ttlSeconds: number
      readonly number: number
    }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'take' | 'sweep' }
  | { readonly type: 'next'; readonly back: number; readonly mode: LadderMode; readonly isStale: boolean }
  | { readonly type: 'claim' | 'rang' | 'cancel' | 'call-in'; readonly back: number }
  | { readonly type: 'outcome'; readonly back: number; readonly end: Outcome }
  | { readonly type: 'check'; readonly back: number; readonly isRight: boolean; readonly key: number | undefined }

export type Outcome = { readonly succeeded: boolean; readonly reason: string; readonly sipStatus: number | undefined }

export type LadderWorld = { nowMs: number; readonly ladders: ModelLadder[] }

// What the functions of the database return.
export function takeLadderStep(world: LadderWorld, step: LadderStep): unknown {
  switch (step.type) {
    case 'wait':
      world.nowMs += step.ms
      return undefined
    case 'start':
      return start(world, step)
    case 'take':
      return take(world)
    case 'sweep':
      return sweep(world)
    case 'next':
    case 'claim':
    case 'rang':
    case 'outcome':
    case 'call-in':
    case 'check':
    case 'cancel': {
      const ladder = world.ladders.at(-1 - step.back)
      return ladder && takeOwnStep(world, ladder, step)
    }
  }
}

type OwnStep = Extract<LadderStep, { readonly back: number }>

function takeOwnStep(world: LadderWorld, ladder: ModelLadder, step: OwnStep): unknown {
  const call = ladder.calls.at(-1)
  switch (step.type) {
    case 'next':
      return next(world, ladder, step.mode, ladder.calls.length - (step.isStale ? 1 : 0))
    case 'claim': {
      const mayDial = call && call.mode !== 'inbound' && isOpen(call) && !call.rang && world.nowMs < call.startUntilMs
      if (!mayDial || ladder.state !== 'pending') return false
      call.state = 'dialling'
      call.attempt += 1
      return true
    }
    case 'rang':
      if (call?.state === 'dialling') call.rang = true
      return undefined
    case 'outcome':
      if (!call || call.mode === 'inbound' || call.state !== 'dialling') return false
      endCall(call, step.end.succeeded, step.end.reason)
      note(world, ladder, call, step.end.sipStatus)
      return true
    case 'call-in':
      return callIn(world, ladder)
    case 'cancel':
      return cancel(ladder)
    case 'check':
      return check(world, ladder, step)
  }
}

function start(world: LadderWorld, step: Extract<LadderStep, { type: 'start' }>): string {
  const [first, ...others] = step.modes
  if (first === undefined) throw new RangeError('no mode')
  const isCoded = step.modes.some((mode) => mode !== 'inbound')
  const left = Math.min(step.checks, 10 - guessesOf(world, step.number))
  if (isCoded && left <= 0) return 'guesses-used-up'
  const expiresAtMs = world.nowMs + step.ttlSeconds * 1_000
  world.ladders.push({
    state: 'pending',
    reason: null,
    number: step.number,
    modes: step.modes,
    modesLeft: others,
    calls: [newCall(world, first)],
    checksMax: isCoded ? left : 0,
    checked: [],
    silenceMs: step.silenceSeconds === undefined ? undefined : step.silenceSeconds * 1_000,
    startedAtMs: world.nowMs,
    expiresAtMs,
    dueAtMs: expiresAtMs,
    approvedCall: undefined,
  })
  return 'accepted'
}

// IDs begin with a second, and the look back has a margin of ten.
function guessesOf({ nowMs, ladders }: LadderWorld, number: number): number {
  const sinceSecond = Math.floor((nowMs - 86_400_000 - 600_000) / 1_000) - 10
  return ladders
    .filter((one) => one.number === number && Math.floor(one.startedAtMs / 1_000) >= sinceSecond)
    .reduce(
      (sum, one) => sum + (one.state === 'pending' ? one.checksMax : one.checked.filter((by) => !by.isRight).length),
      0,
    )
}

function next(world: LadderWorld, ladder: ModelLadder, mode: LadderMode, callsBefore: number): string {
  if (ladder.state !== 'pending' || ladder.expiresAtMs <= world.nowMs) return 'ladder-over'
  if (ladder.calls.length !== callsBefore) return 'ladder-exists'
  const used = ladder.calls.filter((call) => call.mode === mode).length
  const isUsedUp = !ladder.modes.includes(mode) || ladder.calls.length >= 6 || used >= (mode === 'inbound' ? 1 : 2)
  if (isUsedUp) return 'no-channel-left'
  if (ladder.expiresAtMs < world.nowMs + 30_000) return 'too-late'
  ladder.calls.push(newCall(world, mode))
  ladder.modesLeft = ladder.modesLeft.filter((one) => one !== mode)
  ladder.dueAtMs = ladder.expiresAtMs
  return 'accepted'
}

function newCall({ nowMs }: LadderWorld, mode: LadderMode): LadderCall {
  const [startMs, endMs] = mode === 'inbound' ? [waitMs, waitMs] : [startDeadlineMs, callDeadlineMs]
  const until = { startUntilMs: nowMs + startMs, endUntilMs: nowMs + endMs }
  return { mode, state: 'accepted', attempt: 0, rang: false, reason: null, ...until }
}

function isOpen({ state }: LadderCall): boolean {
  return state === 'accepted' || state === 'dialling'
}

function endCall(call: LadderCall, succeeded: boolean, reason: string): void {
  call.state = succeeded ? 'succeeded' : 'failed'
  call.reason = reason
}

function isDelivered({ mode, rang, reason }: LadderCall): boolean {
  if (mode === 'inbound') return false
  if (mode === 'voice') return ['spoken', 'hung-up-early', 'answered-unseen'].includes(reason ?? '')
  return (
    rang || ['rang', 'rejected', 'announcement', 'answered-unseen', 'broke-off', 'no-ringing'].includes(reason ?? '')
  )
}

function note({ nowMs }: LadderWorld, ladder: ModelLadder, call: LadderCall, sipStatus?: number): void {
  if (ladder.state !== 'pending') return
  const isNewest = call === ladder.calls.at(-1)
  const isNowhere = call.state === 'failed' && [404, 410, 604].includes(sipStatus ?? 0)
  if (call.reason === 'called') {
    ladder.state = 'approved'
    ladder.approvedCall = ladder.calls.indexOf(call)
  } else if (isNowhere && isNewest && !ladder.calls.some(isDelivered)) {
    ladder.state = 'failed'
    ladder.reason = 'number_does_not_exist'
  }
  if (!isNewest && ladder.modesLeft.length === 0) ladder.dueAtMs = nowMs
  if (!isNewest) return
  if (call.state === 'failed') ladder.dueAtMs = nowMs
  else ladder.dueAtMs = Math.min(ladder.expiresAtMs, nowMs + (ladder.silenceMs ?? Number.POSITIVE_INFINITY))
}

function callIn(world: LadderWorld, ladder: ModelLadder): boolean {
  const waiting = ladder.calls.find((call) => call.mode === 'inbound')
  if (waiting?.state !== 'accepted' || waiting.endUntilMs <= world.nowMs || ladder.state !== 'pending') return false
  endCall(waiting, true, 'called')
  note(world, ladder, waiting)
  return true
}

function cancel(ladder: ModelLadder): boolean {
  if (ladder.state !== 'pending') return false
  const waiting = ladder.calls.find((call) => call.mode === 'inbound' && call.state === 'accepted')
  if (waiting) endCall(waiting, false, 'not-called')
  ladder.state = 'cancelled'
  return true
}

function check(
  { nowMs }: LadderWorld,
  ladder: ModelLadder,
  { isRight, key }: { readonly isRight: boolean; readonly key: number | undefined },
): string {
  const seen = key === undefined ? undefined : ladder.checked.find((one) => one.key === key)
  if (seen) return seen.isRight === isRight ? (isRight ? 'approved' : 'wrong') : 'key-reused'
  if (ladder.state === 'pending' && ladder.expiresAtMs <= nowMs) ladder.state = 'expired'
  if (ladder.state !== 'pending') return 'over'
  if (!ladder.calls.some((call) => call.mode !== 'inbound' && call.attempt > 0)) return 'not-called'
  ladder.checked.push({ key, isRight })
  if (isRight) ladder.state = 'approved'
  else if (ladder.checked.length === ladder.checksMax) {
    ladder.state = 'failed'
    ladder.reason = 'checks_used_up'
  }
  return isRight ? 'approved' : 'wrong'
}

// The outcomes, by the place of the ladder.
function take(world: LadderWorld): string {
  const due = world.ladders.filter(({ state, dueAtMs }) => state === 'pending' && dueAtMs <= world.nowMs)
  return due
    .map((ladder) => {
      const outcome = outcomeOf(world, ladder)
      if (outcome === 'next') ladder.dueAtMs = Math.min(ladder.expiresAtMs, world.nowMs + leaseMs)
      else ladder.dueAtMs = ladder.expiresAtMs
      if (outcome === 'expired' || outcome === 'failed') ladder.state = outcome
      if (outcome === 'failed') ladder.reason = 'unreachable'
      return `${world.ladders.indexOf(ladder)} ${outcome}`
    })
    .join(', ')
}

function outcomeOf({ nowMs }: LadderWorld, ladder: ModelLadder): 'expired' | 'next' | 'pending' | 'failed' {
  if (ladder.expiresAtMs <= nowMs) return 'expired'
  if (ladder.modesLeft.length > 0 && ladder.calls.length < 6) return 'next'
  return ladder.calls.some((call) => isDelivered(call) || isOpen(call)) ? 'pending' : 'failed'
}

// Of calls of one ladder that end together, the newest one counts.
function sweep(world: LadderWorld): undefined {
  const isOverdue = (call: LadderCall) =>
    isOpen(call) && world.nowMs >= (call.state === 'accepted' ? call.startUntilMs : call.endUntilMs)
  for (const isWaiting of [false, true]) {
    for (const ladder of world.ladders) {
      const overdue = ladder.calls.filter((call) => (call.mode === 'inbound') === isWaiting && isOverdue(call))
      for (const call of overdue) {
        if (call.mode === 'inbound') endCall(call, false, 'not-called')
        else if (call.state === 'accepted') endCall(call, false, 'not-started')
        else endCall(call, call.rang && call.mode !== 'voice', call.rang ? 'lost-ringing' : 'lost')
      }
      const newest = overdue.at(-1)
      if (newest) note(world, ladder, newest)
    }
  }
}
