// What stands at the axes of a chart: three values, and times at even steps. Pure: the time zone comes as the hour of a moment.

const factors = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10]
const hourSteps = [1, 2, 3, 6, 12, 24]
const hourMarksMax = 6
const dayMarksMax = 4

// The value at the upper edge: round, and its half is a whole number, too.
export function topOf(most: number): number {
  if (most <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  const tops = factors.map((factor) => Math.round(factor * power * 10) / 10)
  return tops.find((top) => top >= most && top % 2 === 0) ?? 10 * power
}

type Mark = { readonly index: number; readonly at: number }

// Round hours at the same distance, or days.
export function marksOf(
  bins: readonly { readonly at: number }[],
  by: 'hour' | 'day',
  hourOf: (at: number) => number,
): readonly Mark[] {
  const all = bins.map(({ at }, index) => ({ index, at }))
  if (by === 'day') {
    const step = Math.max(1, Math.ceil(bins.length / dayMarksMax))
    return all.filter(({ index }) => index % step === 0)
  }
  const step = hourSteps.find((one) => bins.length / one <= hourMarksMax) ?? 24
  return all.filter(({ at }) => hourOf(at) % step === 0)
}

// The bin in which now is: it will still grow.
export function unfinishedIn(
  bins: readonly { readonly at: number }[],
  until: number,
  nowMs: number,
): number | undefined {
  const index = bins.findLastIndex(({ at }) => at <= nowMs)
  return index === bins.length - 1 && index >= 0 && nowMs < until ? index : undefined
}
