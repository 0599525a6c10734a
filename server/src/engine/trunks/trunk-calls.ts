// The calls that this node has placed in the last hour, by trunk, for the trunk's health and figures. Only what these need is kept.

import { answeredUnseen, type RecentCalls } from '../../domain/trunks/trunk-health.ts'
import { hourMs } from '../../domain/values/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { Events } from '../../process/metrics/events.ts'

export type TrunkCalls = {
  // Counts what is reported to the metrics, too.
  readonly counted: <Reported extends CountedEvents>(events: Reported) => Reported
  // Of five minutes, for its health.
  readonly recent: (trunk: string) => RecentCalls
  readonly lastHour: (trunk: string) => RecentCalls
  readonly active: (trunk: string) => number
  // Calls placed in the last second.
  readonly perSecond: (trunk: string) => number
}

type CountedEvents = Pick<Events, 'callEnded' | 'channelsUsed'>
type EndedCall = Parameters<Events['callEnded']>[0]
type Kept = { readonly atMs: number; readonly call: EndedCall }

const recentMs = 300_000
const keptMax = 20_000
const secondMs = 1_000

export function createTrunkCalls(clock: Clock): TrunkCalls {
  const ended = new Map<string, Kept[]>()
  const used = new Map<string, number>()
  const started = new Map<string, number[]>()
  const within = (trunk: string, ms: number) => {
    const sinceMs = clock.monotonicMs() - clock.scaledMs(ms)
    return summaryOf((ended.get(trunk) ?? []).filter(({ atMs }) => atMs >= sinceMs).map(({ call }) => call))
  }
  const noteStarts = (trunk: string, channels: number) => {
    if (channels > (used.get(trunk) ?? 0)) started.set(trunk, [...lastSecond(trunk), clock.monotonicMs()])
    used.set(trunk, channels)
  }
  const lastSecond = (trunk: string) =>
    (started.get(trunk) ?? []).filter((atMs) => atMs > clock.monotonicMs() - secondMs)
  return {
    counted: (events) => ({
      ...events,
      callEnded: (call: EndedCall) => {
        events.callEnded(call)
        const kept = ended.get(call.trunk) ?? []
        ended.set(call.trunk, kept)
        kept.push({ atMs: clock.monotonicMs(), call })
        if (kept.length > keptMax) kept.splice(0, kept.length / 2)
      },
      channelsUsed: (trunk: string, channels: number) => {
        events.channelsUsed(trunk, channels)
        noteStarts(trunk, channels)
      },
    }),
    recent: (trunk) => within(trunk, recentMs),
    lastHour: (trunk) => within(trunk, hourMs),
    active: (trunk) => used.get(trunk) ?? 0,
    perSecond: (trunk) => lastSecond(trunk).length,
  }
}

export function summaryOf(calls: readonly EndedCall[]): RecentCalls {
  const delays = calls.flatMap(({ postDialMs }) => (postDialMs === undefined ? [] : [postDialMs]))
  const refused = calls.filter(({ postDialMs, talkMs }) => postDialMs === undefined && talkMs === undefined)
  const lastRang = calls.findLastIndex(({ postDialMs }) => postDialMs !== undefined)
  return {
    dialled: calls.length,
    rang: delays.length,
    postDialMsP95: delays.toSorted((one, other) => one - other)[Math.ceil(delays.length * 0.95) - 1] ?? null,
    answered: calls.filter(({ mode, talkMs }) => mode === 'flash' && talkMs !== undefined).length,
    refusals: tally(refused.map(({ sipStatus }) => String(sipStatus ?? 'none'))),
    streak: tally(calls.slice(lastRang + 1).flatMap(streakKind)),
  }
}

// A busy or absent subscriber says nothing about the trunk.
const ofSubscriber = new Set([408, 410, 480, 486, 487, 600, 603, 604, 607, 608])

function streakKind({ sipStatus, talkMs, mode }: EndedCall): readonly string[] {
  if (talkMs !== undefined) return mode === 'voice' ? [] : [answeredUnseen]
  return sipStatus === undefined || ofSubscriber.has(sipStatus) ? [] : [String(sipStatus)]
}

function tally(kinds: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
