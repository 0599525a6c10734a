import { limitedRules } from '@ringproof/contract/lists/protection.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type FraudHitFilter, readFraudHits, type StoredFraudHit } from '../../db/protection/fraud-hit.ts'
import { lockFraudLimits, writeFraudLimits } from '../../db/protection/fraud-limit.ts'
import { readPrefixState } from '../../db/protection/prefix-breaker.ts'
import { countVerifications, readPastCalls } from '../../db/verifications/past-call.ts'
import { firstIdOfSecond, type IdRange, slotOfService } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import {
  type FraudLimits,
  levelOf,
  limitMax,
  limitsInForce,
  type StoredLimits,
} from '../../domain/protection/fraud-limits.ts'
import { createReplayReport, type ReplayReport } from '../../domain/protection/replay-report.ts'
import type { Candidate, PastCall } from '../../domain/protection/replay-rule.ts'
import { fieldChanges } from '../../domain/values/field-changes.ts'
import { hourMs, minuteMs } from '../../domain/values/time.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly prefixHourMax: number | undefined
  readonly nowSeconds: () => number
}

// Every process follows within a second. Calls in progress are not affected. Returns what holds now.
export async function setFraudLimits(
  deps: Pick<Deps, 'slots' | 'prefixHourMax'>,
  actor: Actor,
  limits: StoredLimits,
): Promise<FraudLimits> {
  for (const rule of limitedRules) assertLimit(limits[rule])
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const stored = await lockFraudLimits(session)
    const before = limitsInForce(stored, deps.prefixHourMax)
    const after = limitsInForce({ ...stored, ...limits }, deps.prefixHourMax)
    await writeFraudLimits(session, limits)
    const withLevel = (all: FraudLimits) => ({ ...all, level: levelOf(all) ?? null })
    const details = fieldChanges(withLevel(before), withLevel(after))
    await logAction(session, actor, { accountId: null, action: 'fraud limits set', details })
    return after
  })
}

function assertLimit(limit: number | null | undefined): void {
  if (limit === null || limit === undefined) return
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw new UsageError(`A limit is a whole number from 1 to ${limitMax}, or off.`)
}

// The prefix is the number without its last four digits; undefined if prefixes were counted together.
type ListedHit = Omit<StoredFraudHit, 'prefixSealed'> & { readonly prefix: string | undefined }

const rowsMax = 1_000

// Newest first, all databases, at most 1,000.
export async function listFraudHits(
  { slots, recordKeys }: { readonly slots: SlotMap; readonly recordKeys: KeyRing },
  filter: FraudHitFilter,
): Promise<readonly ListedHit[]> {
  const { serviceId } = filter
  const databases = serviceId === undefined ? slots.databases : [slots.databaseOf(slotOfService(serviceId))]
  const found = await Promise.all(databases.map((database) => readFraudHits(database, filter, rowsMax)))
  return found
    .flat()
    .toSorted((a, b) => b.minute.getTime() - a.minute.getTime() || b.hits - a.hits)
    .slice(0, rowsMax)
    .map(({ prefixSealed, ...hit }) => ({
      ...hit,
      prefix: prefixSealed === null ? undefined : unseal(recordKeys, 'fraud-prefix', hit.serviceId, prefixSealed),
    }))
}

// What fraud rules would have refused of the calls of the last days, to be read before they are switched on. Nothing is changed.
// It covers the newest calls up to a limit and says which period that is. Whole clock hours are read, because caps count by them;
// only if not even the current hour fits, a part of it.

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

const replayCallsMax = 300_000

const pageRows = 5_000

export async function replayFraudRules(
  { slots, nowSeconds }: Pick<Deps, 'slots' | 'nowSeconds'>,
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
  return { ...report(), fromMs, untilMs: nowMs, isWhole: fromMs === hours.at(-1)?.fromMs }
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
