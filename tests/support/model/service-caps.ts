// How much a service may do, as pure functions of its usage. tests/integration/model.test.ts compares them with the rows of
// service_usage and prefix_usage after every step. Caps count over the clock hour and the UTC day, as a bill does.

import type { AcceptDecision } from '../../../server/src/db/verifications/verification.ts'
import { addMoney, type MicroAmount, negative, zeroMoney } from '../../../server/src/domain/money/money.ts'
import { dayMs, hourMs } from '../../../server/src/domain/values/time.ts'

export type ServiceUsage = {
  readonly hourStartMs: number
  readonly hourCount: number
  readonly dayStartMs: number
  readonly dayCount: number
  readonly daySpent: MicroAmount
}

// Null: no cap.
export type ServiceCaps = {
  readonly verificationsHourMax: number | null
  readonly verificationsDayMax: number | null
  readonly spendDayMax: MicroAmount | null
  readonly prefixHourMax: number | null
}

export type Cap = Extract<AcceptDecision, 'cap-hour' | 'cap-day' | 'cap-spend'>

export const neverUsed: ServiceUsage = { hourStartMs: 0, hourCount: 0, dayStartMs: 0, dayCount: 0, daySpent: zeroMoney }

export type CapReached = { readonly decision: Cap; readonly retryMs: number }

// The cap that another verification at this price would break, and when its window ends; undefined: none.
export function evaluateCaps(
  usage: ServiceUsage,
  caps: ServiceCaps,
  price: MicroAmount,
  nowMs: number,
): CapReached | undefined {
  const { hourStartMs, hourCount, dayStartMs, dayCount, daySpent } = usedBy(usage, price, nowMs)
  const dayLeftMs = dayStartMs + dayMs - nowMs
  if (isAbove(hourCount, caps.verificationsHourMax)) {
    return { decision: 'cap-hour', retryMs: hourStartMs + hourMs - nowMs }
  }
  if (isAbove(dayCount, caps.verificationsDayMax)) return { decision: 'cap-day', retryMs: dayLeftMs }
  return isAbove(daySpent, caps.spendDayMax) ? { decision: 'cap-spend', retryMs: dayLeftMs } : undefined
}

// The usage with one verification more.
export function usedBy(usage: ServiceUsage, price: MicroAmount, nowMs: number): ServiceUsage {
  const now = usageAt(usage, nowMs)
  return {
    ...now,
    hourCount: now.hourCount + 1,
    dayCount: now.dayCount + 1,
    daySpent: addMoney(now.daySpent, price),
  }
}

// The usage in the hour and the day of now.
export function usageAt(usage: ServiceUsage, nowMs: number): ServiceUsage {
  const hourStartMs = startOf(nowMs, hourMs)
  const dayStartMs = startOf(nowMs, dayMs)
  const inHour = hourStartMs === usage.hourStartMs ? usage : { ...usage, hourStartMs, hourCount: 0 }
  return dayStartMs === usage.dayStartMs ? inHour : { ...inHour, dayStartMs, dayCount: 0, daySpent: zeroMoney }
}

// The call failed: its price was not spent, but it stays one of the day's verifications. What was spent yesterday does not
// count against today's cap.
export function spendGivenBack(usage: ServiceUsage, price: MicroAmount, acceptedAtMs: number): ServiceUsage {
  if (startOf(acceptedAtMs, dayMs) !== usage.dayStartMs) return usage
  return { ...usage, daySpent: addMoney(usage.daySpent, negative(price)) }
}

// The accept was undone: it counts against no cap.
export function usageGivenBack(usage: ServiceUsage, price: MicroAmount, acceptedAtMs: number): ServiceUsage {
  const isSameHour = startOf(acceptedAtMs, hourMs) === usage.hourStartMs
  const isSameDay = startOf(acceptedAtMs, dayMs) === usage.dayStartMs
  return {
    ...spendGivenBack(usage, price, acceptedAtMs),
    hourCount: usage.hourCount - (isSameHour ? 1 : 0),
    dayCount: usage.dayCount - (isSameDay ? 1 : 0),
  }
}

// Calls of a service to one prefix in the clock hour.
export type PrefixUsage = { readonly hourStartMs: number; readonly hourCount: number }

export function evaluatePrefixCap(
  usage: PrefixUsage | undefined,
  hourMax: number | null,
  nowMs: number,
): { readonly decision: 'cap-prefix'; readonly retryMs: number } | undefined {
  const hourStartMs = startOf(nowMs, hourMs)
  const isFull = isAbove(prefixUsedBy(usage, nowMs).hourCount, hourMax)
  return isFull ? { decision: 'cap-prefix', retryMs: hourStartMs + hourMs - nowMs } : undefined
}

export function prefixUsedBy(usage: PrefixUsage | undefined, nowMs: number): PrefixUsage {
  const hourStartMs = startOf(nowMs, hourMs)
  return { hourStartMs, hourCount: (usage?.hourStartMs === hourStartMs ? usage.hourCount : 0) + 1 }
}

export function prefixGivenBack(usage: PrefixUsage, acceptedAtMs: number): PrefixUsage {
  const isSameHour = startOf(acceptedAtMs, hourMs) === usage.hourStartMs
  return { ...usage, hourCount: usage.hourCount - (isSameHour ? 1 : 0) }
}

// Hours and days of UTC begin at multiples of their length.
function startOf(atMs: number, lengthMs: number): number {
  return atMs - (atMs % lengthMs)
}

function isAbove(amount: number, max: number | null): boolean {
  return max !== null && amount > max
}
