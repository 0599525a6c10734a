// How often a number may be called (server/src/domain/verifications/number-limits.ts), as pure functions of its calls.
// tests/integration/model.test.ts compares them with the rows of subscriber_numbers after every step.
//
// The call in progress holds a lease on the number. The lease ends with the call, or at its deadline when nobody reports the
// end: a sweep does not know the number of the call it ends. An account in another database reserves the number first: the
// lease is five seconds longer, and a call that is never accepted counts all the same unless it is given back.

import type { AcceptDecision } from '../../../server/src/db/verifications/verification.ts'
import type { ServiceId } from '../../../server/src/domain/core/slot.ts'
import { dayMs } from '../../../server/src/domain/values/time.ts'
import {
  callsPerDayOverAll,
  cooldownMs,
  shortWindowMs,
} from '../../../server/src/domain/verifications/number-limits.ts'

export type CountedCall = {
  readonly leaseId: number
  readonly serviceId: ServiceId
  readonly atMs: number
}

export type Lease = {
  readonly id: number
  readonly untilMs: number
  // Requests with the same idempotency key share a reservation.
  readonly key: string | undefined
}

// Calls are in order, oldest first.
export type NumberHistory = {
  readonly calls: readonly CountedCall[]
  readonly lease: Lease | undefined
}

export type NumberLimits = {
  readonly serviceId: ServiceId
  readonly callsPer10Minutes: number
  readonly callsPerDay: number
}

export type NumberRefusal = {
  readonly decision: Extract<AcceptDecision, 'too-soon' | 'used-up-all' | 'used-up-10-minutes' | 'used-up-day'>
  readonly retryMs: number
}

const retryMsMin = 1_000

export const neverCalled: NumberHistory = { calls: [], lease: undefined }

// Undefined: it may be called. Where several limits are reached, the first of this order is reported.
export function evaluateNumberLimits(
  history: NumberHistory,
  limits: NumberLimits,
  nowMs: number,
  // The cooldown after the call with this lease is waived.
  continuesLease?: number,
): NumberRefusal | undefined {
  const { calls, lease } = history
  const newest = calls.at(-1)
  const waitMs = newest !== undefined && newest.leaseId === continuesLease ? 0 : cooldownMs
  const cooldownLeftMs = (newest?.atMs ?? Number.NEGATIVE_INFINITY) + waitMs - nowMs
  if ((lease !== undefined && lease.untilMs > nowMs) || cooldownLeftMs > 0) {
    return { decision: 'too-soon', retryMs: Math.max(retryMsMin, cooldownLeftMs) }
  }
  const own = calls.filter(({ serviceId }) => serviceId === limits.serviceId)
  return (
    usedUp('used-up-all', calls, callsPerDayOverAll, dayMs, nowMs) ??
    usedUp('used-up-10-minutes', own, limits.callsPer10Minutes, shortWindowMs, nowMs) ??
    usedUp('used-up-day', own, limits.callsPerDay, dayMs, nowMs)
  )
}

// With one call more, which has the lease, and without those of a day ago.
export function accepted(history: NumberHistory, call: CountedCall, lease: Omit<Lease, 'id'>): NumberHistory {
  const calls = history.calls.filter(({ atMs }) => call.atMs - atMs < dayMs)
  return { calls: [...calls, call], lease: { ...lease, id: call.leaseId } }
}

// A late end must not release the lease of the next call.
export function ended(history: NumberHistory, leaseId: number): NumberHistory {
  return history.lease?.id === leaseId ? { ...history, lease: undefined } : history
}

export function givenBack(history: NumberHistory, leaseId: number): NumberHistory {
  return ended({ ...history, calls: history.calls.filter((call) => call.leaseId !== leaseId) }, leaseId)
}

// The live lease that a request with this key shares.
export function sharedLease(history: NumberHistory, key: string | undefined, nowMs: number): Lease | undefined {
  const { lease } = history
  return key !== undefined && lease?.key === key && lease.untilMs > nowMs ? lease : undefined
}

// The call follows the request that shares the reservation, so it counts from then on.
export function shared(history: NumberHistory, lease: Lease, nowMs: number): NumberHistory {
  return {
    lease,
    calls: history.calls.map((call) => (call.leaseId === lease.id ? { ...call, atMs: nowMs } : call)),
  }
}

// There is room again when so many calls have left the window that one less than the limit remains: the oldest alone, unless
// the limit was lowered in the meantime.
function usedUp(
  decision: NumberRefusal['decision'],
  calls: readonly CountedCall[],
  limit: number,
  windowMs: number,
  nowMs: number,
): NumberRefusal | undefined {
  const counting = calls.filter(({ atMs }) => nowMs - atMs < windowMs)
  const lastInTheWay = counting[counting.length - limit]
  return lastInTheWay && { decision, retryMs: lastInTheWay.atMs + windowMs - nowMs }
}
