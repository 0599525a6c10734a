// How often a person may be rung, and how much a service may do. The database's functions are this file in SQL, many
// requests at a time; tests hold the two against each other.
//
// A number is protected over all accounts and services: one call at a time, 15 seconds from one acceptance to the next, 30
// in any stretch of a day. Within that, each service has its own measure for a number: so many in ten minutes, so many in
// a day. Stretches slide; a call counts while less than the stretch has passed since it was accepted.
//
// The caps of a service are its owner's: over the clock hour and the UTC day, as an owner reads them on a bill.

import { addMoney, type MicroRoubles, negative, zeroMoney } from '../money/money.ts'
import type { ServiceId, VerificationId } from '../slot.ts'

export type AcceptedCall = {
  readonly id: VerificationId
  readonly serviceId: ServiceId
  readonly atMs: number
}

// The calls of the last day, oldest first, and the one that is still going on. It lapses at leaseUntilMs, when every call
// is over whether we heard of it or not; else a lost event would silence a number for ever.
export type NumberHistory = {
  readonly calls: readonly AcceptedCall[]
  readonly openId: VerificationId | undefined
  readonly leaseUntilMs: number
}

export type NumberLimits = {
  readonly serviceId: ServiceId
  readonly callsPer10Minutes: number
  readonly callsPerDay: number
}

export type NumberRefusal =
  | { readonly refusal: 'numberCooldown'; readonly retryAfterMs: number }
  | { readonly refusal: 'numberLimitReached'; readonly limit: string; readonly retryAfterMs: number }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const gapMs = 15_000
const retryAfterMsMin = 1_000
const callsPerDayOverAll = 30

export const neverCalled: NumberHistory = { calls: [], openId: undefined, leaseUntilMs: 0 }

// Undefined: it may be called. Where several limits are reached, the first of this order is told.
export function evaluateNumberLimits(
  history: NumberHistory,
  limits: NumberLimits,
  nowMs: number,
): NumberRefusal | undefined {
  const leftOfGapMs = (history.calls.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) + gapMs - nowMs
  if (isOpen(history, nowMs) || leftOfGapMs > 0) {
    return { refusal: 'numberCooldown', retryAfterMs: Math.max(retryAfterMsMin, leftOfGapMs) }
  }
  const own = history.calls.filter(({ serviceId }) => serviceId === limits.serviceId)
  return (
    usedUp(history.calls, callsPerDayOverAll, dayMs, 'a day', nowMs) ??
    usedUp(own, limits.callsPer10Minutes, 10 * minuteMs, 'in 10 minutes', nowMs) ??
    usedUp(own, limits.callsPerDay, dayMs, 'a day', nowMs)
  )
}

export function accepted(history: NumberHistory, call: AcceptedCall, leaseUntilMs: number): NumberHistory {
  const calls = history.calls.filter(({ atMs }) => call.atMs - atMs < dayMs)
  return { calls: [...calls, call], openId: call.id, leaseUntilMs }
}

// What ends late must not close the call that came after it.
export function ended(history: NumberHistory, id: VerificationId): NumberHistory {
  return history.openId === id ? { ...history, openId: undefined, leaseUntilMs: 0 } : history
}

export function givenBack(history: NumberHistory, id: VerificationId): NumberHistory {
  return ended({ ...history, calls: history.calls.filter((call) => call.id !== id) }, id)
}

function isOpen({ openId, leaseUntilMs }: NumberHistory, nowMs: number): boolean {
  return openId !== undefined && leaseUntilMs > nowMs
}

// There is room again when so many have left that one less than the limit is there: the oldest alone, unless the limit was
// lowered in the meantime.
function usedUp(
  calls: readonly AcceptedCall[],
  limit: number,
  windowMs: number,
  window: string,
  nowMs: number,
): NumberRefusal | undefined {
  const counting = calls.filter(({ atMs }) => nowMs - atMs < windowMs)
  if (counting.length < limit) return undefined
  const leavingAtMs = counting[counting.length - limit]?.atMs ?? nowMs
  return { refusal: 'numberLimitReached', limit: `${limit} ${window}`, retryAfterMs: leavingAtMs + windowMs - nowMs }
}

export type ServiceUsage = {
  readonly hourStartMs: number
  readonly hourCount: number
  readonly dayStartMs: number
  readonly dayCount: number
  readonly daySpent: MicroRoubles
}

// Null: no cap.
export type ServiceCaps = {
  readonly verificationsHourMax: number | null
  readonly verificationsDayMax: number | null
  readonly spendDayMax: MicroRoubles | null
}

export type Cap = 'verifications an hour' | 'verifications a day' | 'roubles a day'

export const neverUsed: ServiceUsage = { hourStartMs: 0, hourCount: 0, dayStartMs: 0, dayCount: 0, daySpent: zeroMoney }

// The cap that another verification at this price would break; undefined: none.
export function evaluateCaps(
  usage: ServiceUsage,
  caps: ServiceCaps,
  price: MicroRoubles,
  nowMs: number,
): Cap | undefined {
  const { hourCount, dayCount, daySpent } = usedBy(usage, price, nowMs)
  if (isAbove(hourCount, caps.verificationsHourMax)) return 'verifications an hour'
  if (isAbove(dayCount, caps.verificationsDayMax)) return 'verifications a day'
  return isAbove(daySpent, caps.spendDayMax) ? 'roubles a day' : undefined
}

// The usage with one verification more.
export function usedBy(usage: ServiceUsage, price: MicroRoubles, nowMs: number): ServiceUsage {
  const { hourStartMs, hourCount, dayStartMs, dayCount, daySpent } = atTime(usage, nowMs)
  return {
    hourStartMs,
    hourCount: hourCount + 1,
    dayStartMs,
    dayCount: dayCount + 1,
    daySpent: addMoney(daySpent, price),
  }
}

// The call was not made: its price was not spent, but it stays one of the day's verifications. What yesterday held is no
// business of today's cap.
export function spendGivenBack(usage: ServiceUsage, price: MicroRoubles, acceptedAtMs: number): ServiceUsage {
  if (startOf(acceptedAtMs, dayMs) !== usage.dayStartMs) return usage
  return { ...usage, daySpent: addMoney(usage.daySpent, negative(price)) }
}

// The accept was undone: it counts against no cap.
export function usageGivenBack(usage: ServiceUsage, price: MicroRoubles, acceptedAtMs: number): ServiceUsage {
  const isSameHour = startOf(acceptedAtMs, hourMs) === usage.hourStartMs
  const isSameDay = startOf(acceptedAtMs, dayMs) === usage.dayStartMs
  return {
    ...spendGivenBack(usage, price, acceptedAtMs),
    hourCount: usage.hourCount - (isSameHour ? 1 : 0),
    dayCount: usage.dayCount - (isSameDay ? 1 : 0),
  }
}

function atTime(usage: ServiceUsage, nowMs: number): ServiceUsage {
  const hourStartMs = startOf(nowMs, hourMs)
  const dayStartMs = startOf(nowMs, dayMs)
  const inHour = hourStartMs === usage.hourStartMs ? usage : { ...usage, hourStartMs, hourCount: 0 }
  return dayStartMs === usage.dayStartMs ? inHour : { ...inHour, dayStartMs, dayCount: 0, daySpent: zeroMoney }
}

// Hours and days of UTC begin at multiples of their length.
function startOf(atMs: number, lengthMs: number): number {
  return atMs - (atMs % lengthMs)
}

function isAbove(amount: number, max: number | null): boolean {
  return max !== null && amount > max
}
