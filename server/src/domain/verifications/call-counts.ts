// Counts of verifications, and percentiles of the time until a phone rang.

// What verifications are counted by. Hours and days are the milliseconds of their start; a weekday is 1 (Monday) to 7.
const countKeys = [
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
  // Micro-units.
  readonly charged: number
  // How many began to ring within each step; null if not asked for.
  readonly ringDelays: readonly number[] | null
}

export type CallCount<Key extends CountKey> = Counts & {
  readonly [Name in Key]: Name extends NumberKey ? number : string
}

// Milliseconds: the ends of all steps but the last. In SQL: ring_delay_steps().
export const ringDelaySteps = [500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000, 12_000] as const

// What the given share of calls does not exceed, taken as spread evenly over its step; undefined if none rang.
export function ringDelayPercentile(delays: readonly number[], share: number): number | undefined {
  const total = delays.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  const wanted = share * total
  let below = 0
  const step = delays.findIndex((count) => {
    if (count > 0 && below + count >= wanted) return true
    below += count
    return false
  })
  const from = ringDelaySteps[step - 1] ?? 0
  // The last step has no end.
  const to = ringDelaySteps[step] ?? from
  return Math.round(from + ((to - from) * (wanted - below)) / (delays[step] ?? 1))
}
