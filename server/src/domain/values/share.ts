// A share of calls with its interval, and whether it has fallen.

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
