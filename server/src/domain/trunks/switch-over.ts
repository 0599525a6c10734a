// Whether calls to a destination (a provider in a country) leave the trunk that is first in order, here called home, because it
// rings fewer phones than usual; and when they return.
//
//   home     Calls go out in the order of the trunks. When home rings clearly fewer phones than usual in the last five minutes, and
//            another trunk is healthy and has free channels → trial.
//   trial    Every second call tries the other trunk first. It rings clearly more phones → moved. It does not within ten minutes, or
//            home is as usual again → home; this trunk is not tried again for the hold time.
//   moved    Calls try the other trunk first. One call in ten is a probe: it tries home first. When probes have rung as usual for the
//            whole hold time → home.
//
// The hold time is ten minutes, longer than it takes to move. It doubles with each switch-over of the destination within a day, up to
// four hours, so traffic never flaps. If the other trunk fails or the order changes → home at once. A pinned switch-over
// stays until the operator takes it back; while its trunk is unusable it is paused.
//
// "Clearly" is by Wilson intervals. Only first attempts count: a second one dials numbers that another trunk could not reach.

import type { switchOverEnds } from '@ringproof/contract/lists/trunks.ts'
import { shareInterval } from '../values/share.ts'
import { dayMs, minuteMs } from '../values/time.ts'

export type RingCount = { readonly dialled: number; readonly rang: number }

export type RouteCount = RingCount & { readonly trunk: string; readonly minuteMs: number }

export type SwitchOver = {
  readonly from: string
  readonly to: string
  readonly phase: 'trial' | 'moved'
  // When the phase began.
  readonly sinceMs: number
  // How both trunks rang when it was decided.
  readonly fromCount: RingCount
  readonly toCount: RingCount
  // The share that rings over `from` at other times; null: not known.
  readonly usual: number | null
  readonly recoveredSinceMs: number | null
  readonly holdMs: number
  readonly isPinned: boolean
  readonly isPaused: boolean
}

export type SwitchOverEnd = (typeof switchOverEnds)[number]

export type PastSwitchOver = {
  readonly to: string
  readonly wasMoved: boolean
  readonly reason: SwitchOverEnd
  readonly endedMs: number
  readonly holdMs: number
}

export type DestinationFacts = {
  // That can carry a call to the destination, in order.
  readonly trunks: readonly string[]
  readonly healthy: ReadonlySet<string>
  readonly withFreeChannels: ReadonlySet<string>
  // Of the last fifteen minutes.
  readonly counts: readonly RouteCount[]
  // Of the first trunk.
  readonly usual: RingCount | undefined
  // Of the last day.
  readonly past: readonly PastSwitchOver[]
  readonly nowMs: number
  // Durations are multiplied by it.
  readonly scale: number
}

type SwitchOverStep =
  | { readonly next: SwitchOver | undefined; readonly end?: never }
  | { readonly next?: never; readonly end: SwitchOverEnd }

const windowMs = 5 * minuteMs
const trialMsMax = 10 * minuteMs
const holdMsFirst = 10 * minuteMs
const holdMsMax = 240 * minuteMs
export const countedMs = 15 * minuteMs
// After an operator has taken traffic back.
export const takenBackHoldMs = 60 * minuteMs

const fallenCallsMin = 30
const trialCallsMin = 20
const probesMin = 20
const usualCallsMin = 100
// Without a usual share, a trunk that rings fewer phones than this is not good enough.
const shareExpected = 0.6
const fallMin = 0.1
// Three standard deviations: a trunk is looked at every few seconds, so coincidence must be rare.
const deviations = 3

export function stepSwitchOver(current: SwitchOver | undefined, facts: DestinationFacts): SwitchOverStep {
  if (!current) return { next: beginTrial(facts) }
  const { trunks, healthy } = facts
  const isUsable = trunks.includes(current.to) && healthy.has(current.to)
  if (current.isPinned) return { next: { ...current, isPaused: !isUsable } }
  if (!isUsable) return { end: 'trunk-lost' }
  if (trunks[0] !== current.from) return { end: 'order-changed' }
  return current.phase === 'trial' ? stepTrial(current, facts) : stepMoved(current, facts)
}

function beginTrial(facts: DestinationFacts): SwitchOver | undefined {
  const [home, ...others] = facts.trunks
  if (home === undefined || others.length === 0) return undefined
  const fromCount = countSince(facts, home, facts.nowMs - windowMs * facts.scale)
  const usual = usualShare(facts.usual)
  if (fromCount.dialled < fallenCallsMin || !hasFallen(fromCount, usual)) return undefined
  const to = others.find(
    (trunk) => facts.healthy.has(trunk) && facts.withFreeChannels.has(trunk) && !isHeldBack(trunk, facts),
  )
  if (to === undefined) return undefined
  return {
    from: home,
    to,
    phase: 'trial',
    sinceMs: facts.nowMs,
    fromCount,
    toCount: noCalls,
    usual,
    recoveredSinceMs: null,
    holdMs: holdFor(facts),
    isPinned: false,
    isPaused: false,
  }
}

function stepTrial(trial: SwitchOver, facts: DestinationFacts): SwitchOverStep {
  const { nowMs, scale } = facts
  const fromCount = countSince(facts, trial.from, nowMs - windowMs * scale)
  const toCount = countSince(facts, trial.to, trial.sinceMs - minuteMs * scale)
  if (fromCount.dialled >= fallenCallsMin && !hasFallen(fromCount, trial.usual)) return { end: 'recovered' }
  if (toCount.dialled >= trialCallsMin && isBetter(toCount, fromCount)) {
    return { next: { ...trial, phase: 'moved', sinceMs: nowMs, fromCount, toCount } }
  }
  return nowMs - trial.sinceMs > trialMsMax * scale ? { end: 'no-better' } : { next: trial }
}

function stepMoved(moved: SwitchOver, facts: DestinationFacts): SwitchOverStep {
  const { nowMs, scale } = facts
  const probes = countSince(facts, moved.from, Math.max(moved.sinceMs, nowMs - countedMs * scale))
  if (!hasRecovered(probes, moved)) return { next: { ...moved, recoveredSinceMs: null } }
  const recoveredSinceMs = moved.recoveredSinceMs ?? nowMs
  if (nowMs - recoveredSinceMs >= moved.holdMs * scale) return { end: 'recovered' }
  return { next: { ...moved, recoveredSinceMs } }
}

function hasFallen({ dialled, rang }: RingCount, usual: number | null): boolean {
  return shareInterval(rang, dialled, deviations).high <= (usual ?? shareExpected) - fallMin
}

function isBetter(one: RingCount, other: RingCount): boolean {
  const isApart =
    shareInterval(one.rang, one.dialled, deviations).low > shareInterval(other.rang, other.dialled, deviations).high
  return isApart && shareOf(one) - shareOf(other) >= fallMin
}

// As usual, and clearly better than when it had fallen.
function hasRecovered(probes: RingCount, { usual, fromCount, toCount }: SwitchOver): boolean {
  if (probes.dialled < probesMin) return false
  const { low, high } = shareInterval(probes.rang, probes.dialled)
  const expected = usual ?? shareOf(toCount)
  return low > shareOf(fromCount) && high >= expected - fallMin / 4 && shareOf(probes) >= expected - fallMin
}

// After traffic has been moved and has returned, it may move again; the hold time has doubled.
function isHeldBack(trunk: string, { past, nowMs, scale }: DestinationFacts): boolean {
  return past.some(({ to, wasMoved, reason, endedMs, holdMs }) => {
    const isOver = nowMs - endedMs >= holdMs * scale
    if (isOver || (wasMoved && reason === 'recovered')) return false
    return reason === 'taken-back' || to === trunk
  })
}

function holdFor({ past, nowMs, scale }: DestinationFacts): number {
  const recent = past.filter(({ endedMs, wasMoved }) => wasMoved && nowMs - endedMs < dayMs * scale)
  const longest = Math.max(0, ...recent.map(({ holdMs }) => holdMs))
  return longest === 0 ? holdMsFirst : Math.min(longest * 2, holdMsMax)
}

const noCalls: RingCount = { dialled: 0, rang: 0 }

function countSince({ counts }: DestinationFacts, trunk: string, sinceMs: number): RingCount {
  return counts
    .filter((count) => count.trunk === trunk && count.minuteMs >= sinceMs)
    .reduce<RingCount>((sum, { dialled, rang }) => ({ dialled: sum.dialled + dialled, rang: sum.rang + rang }), noCalls)
}

function usualShare(usual: RingCount | undefined): number | null {
  return usual && usual.dialled >= usualCallsMin ? usual.rang / usual.dialled : null
}

function shareOf({ dialled, rang }: RingCount): number {
  return dialled === 0 ? 0 : rang / dialled
}

// What a call needs to know.
export type ActiveSwitchOver = Pick<SwitchOver, 'from' | 'to' | 'phase' | 'isPaused'> & {
  readonly country: string
  readonly provider: string
}

export type Destination = { readonly country: string; readonly provider: string }

const probeShare = 0.1
const trialShare = 0.5

// The trunk that the call tries before the others, if not the first in order. The random fraction is in [0, 1).
export function switchedTo(
  switchOvers: readonly ActiveSwitchOver[],
  { country, provider }: Destination,
  random: number,
): ActiveSwitchOver | undefined {
  const active = switchOvers.find((one) => one.country === country && one.provider === provider && !one.isPaused)
  if (!active) return undefined
  return random >= (active.phase === 'moved' ? probeShare : trialShare) ? active : undefined
}

// The trunk in front, and the others as they were. Unchanged if a trunk of the switch-over cannot carry this call.
export function inFront<Routed extends { readonly trunk: string }>(
  routes: readonly Routed[],
  switched: ActiveSwitchOver | undefined,
): readonly Routed[] {
  const first = routes.find(({ trunk }) => trunk === switched?.to)
  if (!first || routes[0]?.trunk !== switched?.from) return routes
  return [first, ...routes.filter((route) => route !== first)]
}
