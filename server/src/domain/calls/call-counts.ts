// Figures over counts of verifications: shares with their intervals, and percentiles of the time until a phone rang.

// What verifications are counted by. Hours and days are the milliseconds of their start; a weekday is 1 (Monday) to 7.
export const countKeys = [
  'hour',
  'day',
  'weekday',
  'hourOfDay',
  'service',
  'mode',
  'country',
  'provider',
  'trunk',
  'state',
  'reason',
] as const
export type CountKey = (typeof countKeys)[number]
type NumberKey = 'hour' | 'day' | 'weekday' | 'hourOfDay' | 'service'

export type Counts = {
  readonly calls: number
  readonly dialled: number
  readonly rang: number
  readonly repeats: number
  readonly succeeded: number
  readonly failed: number
  // Micro-roubles.
  readonly charged: number
  // How many began to ring within each step; null if not asked for.
  readonly ringDelays: readonly number[] | null
}

export type CallCount<Key extends CountKey> = Counts & {
  readonly [Name in Key]: Name extends NumberKey ? number : string
}

// Milliseconds: the ends of all steps but the last. In SQL: ring_delay_steps().
export const ringDelaySteps = [500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000, 12_000] as const

// The end of the step that the given share of calls does not exceed; undefined if none rang.
export function ringDelayPercentile(delays: readonly number[], share: number): number | undefined {
  const total = delays.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let passed = 0
  const step = delays.findIndex((count) => (passed += count) >= share * total && count > 0)
  return ringDelaySteps[Math.min(step, ringDelaySteps.length - 1)]
}

export type Interval = { readonly low: number; readonly high: number }

// Of a 95 % interval.
const deviationsUsual = 1.96

// Wilson's interval of a share.
export function shareInterval(hits: number, total: number, z = deviationsUsual): Interval {
  if (total === 0) return { low: 0, high: 1 }
  const share = hits / total
  const centre = share + (z * z) / (2 * total)
  const spread = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))
  const scale = 1 + (z * z) / total
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) }
}

const fallMin = 0.05
const callsMin = 50

// Whether a share has fallen below its baseline by more than its spread and by enough to matter.
export function hasFallen(hits: number, total: number, baseline: number | undefined): boolean {
  return baseline !== undefined && total >= callsMin && shareInterval(hits, total).high <= baseline - fallMin
}
