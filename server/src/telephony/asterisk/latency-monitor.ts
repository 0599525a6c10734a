// Whether Asterisk is slow to accept calls: an overloaded Asterisk refuses nothing.

import type { Clock } from '../../process/clock.ts'

const slowMs = 50
const slowSamplesMin = 8
const slowWindowMs = 1_000

export type LatencyMonitor = { readonly add: (tookMs: number) => void; readonly isSlow: () => boolean }

// Compares the median response time of the last second with slowMs. After a second without requests it reports fast again.
export function createLatencyMonitor(clock: Clock): LatencyMonitor {
  let recent: { readonly atMs: number; readonly tookMs: number }[] = []
  return {
    add: (tookMs) => {
      recent.push({ atMs: clock.monotonicMs(), tookMs })
    },
    isSlow: () => {
      const sinceMs = clock.monotonicMs() - slowWindowMs
      recent = recent.filter(({ atMs }) => atMs >= sinceMs)
      if (recent.length < slowSamplesMin) return false
      const sorted = recent.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other)
      return (sorted[Math.floor(sorted.length / 2)] ?? 0) > slowMs
    },
  }
}
