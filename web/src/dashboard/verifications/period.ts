// The last day, week or month of every screen.

import { dayMs, hourMs, weekMs } from '../../time.ts'

export const periods = { day: dayMs, week: weekMs, month: 30 * dayMs } as const
export type Period = keyof typeof periods

// Until the end of this hour, so that every screen counts the same calls: statistics are kept by the clock hour.
export function rangeOf(period: Period, nowMs: number): { readonly from: number; readonly until: number } {
  const until = Math.ceil(nowMs / hourMs) * hourMs
  return { from: until - periods[period], until }
}
