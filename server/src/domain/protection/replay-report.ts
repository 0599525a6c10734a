// Adds up what replayed rules would have refused.

import type { ServiceId } from '../core/slot.ts'
import { type Candidate, createReplay, type PastCall } from './replay-rule.ts'

type ReplayedRule = Candidate & {
  readonly blocked: number
  // Of the blocked calls, those that succeeded in reality: the phone rang, or the code was spoken.
  readonly succeeded: number
  readonly services: number
  // The service with the most blocked calls.
  readonly most: { readonly serviceId: ServiceId; readonly blocked: number } | undefined
  // By equal parts of the period.
  readonly blockedParts: readonly number[]
}

export type ReplayReport = {
  readonly calls: number
  readonly succeeded: number
  readonly callParts: readonly number[]
  readonly rules: readonly ReplayedRule[]
}

const replayParts = 56

export function createReplayReport(
  candidates: readonly Candidate[],
  allowed: ReadonlySet<string>,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): { readonly add: (call: PastCall) => void; readonly report: () => ReplayReport } {
  const zeros = () => Array.from({ length: replayParts }, () => 0)
  const totals = { calls: 0, succeeded: 0, parts: zeros() }
  const running = candidates.map((candidate) => ({
    candidate,
    refuses: createReplay(candidate, allowed),
    blocked: 0,
    succeeded: 0,
    services: new Map<ServiceId, number>(),
    parts: zeros(),
  }))
  const partMs = Math.max(1, (untilMs - fromMs) / replayParts)
  const bump = (parts: number[], atMs: number) => {
    const part = Math.min(replayParts - 1, Math.max(0, Math.floor((atMs - fromMs) / partMs)))
    parts[part] = (parts[part] ?? 0) + 1
  }
  return {
    add: (call) => {
      totals.calls += 1
      totals.succeeded += call.isSucceeded ? 1 : 0
      bump(totals.parts, call.atMs)
      for (const one of running) {
        if (!one.refuses(call)) continue
        one.blocked += 1
        one.succeeded += call.isSucceeded ? 1 : 0
        one.services.set(call.serviceId, (one.services.get(call.serviceId) ?? 0) + 1)
        bump(one.parts, call.atMs)
      }
    },
    report: () => ({
      calls: totals.calls,
      succeeded: totals.succeeded,
      callParts: totals.parts,
      rules: running.map(({ candidate, blocked, succeeded, services, parts }) => {
        const [most] = [...services].toSorted(([, a], [, b]) => b - a)
        return {
          ...candidate,
          blocked,
          succeeded,
          services: services.size,
          most: most && { serviceId: most[0], blocked: most[1] },
          blockedParts: parts,
        }
      }),
    }),
  }
}
