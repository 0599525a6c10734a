// What fraud rules would have refused of the calls of the last days, to be read before they are switched on. Nothing is changed.
// It covers the newest calls up to a limit and says which period that is. Whole clock hours are read, because caps count by them;
// only if not even the current hour fits, a part of it.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPrefixState } from '../../db/protection/prefix-breaker.ts'
import { countVerifications, readPastCalls } from '../../db/verifications/past-call.ts'
import { firstIdOfSecond, type IdRange } from '../../domain/core/slot.ts'
import { createReplayReport, type ReplayReport } from '../../domain/protection/replay-report.ts'
import type { Candidate, PastCall } from '../../domain/protection/replay-rule.ts'
import { hourMs, minuteMs } from '../../domain/values/time.ts'

type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }
type Command = { readonly days: number; readonly candidates: readonly Candidate[] }

export type ReplayedRules = ReplayReport & {
  readonly fromMs: number
  readonly untilMs: number
  // False: there were more calls than are read.
  readonly isWhole: boolean
}

type Span = { readonly fromMs: number; readonly untilMs: number }
type CountedSpan = Span & { readonly calls: number }

export const replayDaysMax = 30
export const replayCallsMax = 300_000
const pageRows = 5_000

export async function replayFraudRules(
  { slots, nowSeconds }: Deps,
  { days, candidates }: Command,
  callsMax: number = replayCallsMax,
): Promise<ReplayedRules> {
  const nowMs = nowSeconds() * 1_000
  const hours = spansBack(Math.ceil(nowMs / hourMs) * hourMs, days * 24, hourMs)
  let covered = await fitting(slots, hours, callsMax)
  const [current] = hours
  if (covered.length === 0 && current)
    covered = await fitting(slots, spansBack(current.untilMs, hourMs / minuteMs, minuteMs), callsMax)
  const fromMs = covered.at(-1)?.fromMs ?? nowMs
  const { allowed } = await readPrefixState(slots.globalDatabase)
  const lasting = allowed.filter(({ untilMs }) => untilMs === null).map(({ scope }) => scope)
  const { add, report } = createReplayReport(candidates, new Set(lasting), { fromMs, untilMs: nowMs })
  for (const span of covered.toReversed().flatMap(smallSpans)) {
    const parts = await Promise.all(slots.databases.map((database) => readSpan(database, span)))
    for (const call of parts.flat().toSorted((a, b) => a.atMs - b.atMs || a.id - b.id)) add(call)
  }
  return { ...report(), fromMs, untilMs: nowMs, isWhole: covered.length === hours.length }
}

// Newest first.
function spansBack(endMs: number, count: number, lengthMs: number): readonly Span[] {
  return Array.from({ length: count }, (_, n) => ({
    fromMs: endMs - (n + 1) * lengthMs,
    untilMs: endMs - n * lengthMs,
  }))
}

// The newest spans whose calls are not more than the limit in all.
async function fitting(
  { databases }: SlotMap,
  spans: readonly Span[],
  callsMax: number,
): Promise<readonly CountedSpan[]> {
  let left = callsMax
  const counted: CountedSpan[] = []
  for (const span of spans) {
    const limit = left + 1
    const counts = await Promise.all(databases.map((database) => countVerifications(database, idsOf(span), limit)))
    const calls = counts.reduce((sum, count) => sum + count, 0)
    left -= calls
    if (left < 0) return counted
    counted.push({ ...span, calls })
  }
  return counted
}

// Oldest first. A busy hour is replayed by minutes, so that the process serves others in between.
function smallSpans({ calls, ...span }: CountedSpan): readonly Span[] {
  const length = span.untilMs - span.fromMs
  if (calls <= pageRows || length <= minuteMs) return [span]
  return spansBack(span.untilMs, length / minuteMs, minuteMs).toReversed()
}

async function readSpan(database: SlotMap['globalDatabase'], span: Span): Promise<readonly PastCall[]> {
  const { firstId, endId } = idsOf(span)
  const calls: PastCall[] = []
  let next: number | undefined = firstId
  while (next !== undefined) {
    const page: Awaited<ReturnType<typeof readPastCalls>> = await readPastCalls(
      database,
      { firstId: next, endId },
      pageRows,
    )
    calls.push(...page.calls)
    next = page.lastId === undefined ? undefined : page.lastId + 1
  }
  return calls
}

function idsOf({ fromMs, untilMs }: Span): IdRange {
  return { firstId: firstIdOfSecond(fromMs / 1_000), endId: firstIdOfSecond(untilMs / 1_000) }
}
