// Sets of numbers as spans, both ends included: 20 000 numbers that were imported one by one are still handled at once.

import type { CallerRange, NumberSpan, Quarantine } from './caller-pool.ts'

// Sorted, without overlaps, neighbours as one.
export function joinSpans(spans: readonly NumberSpan[]): readonly NumberSpan[] {
  const joined: NumberSpan[] = []
  for (const { first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    const before = joined.at(-1)
    // Numbers of different length are no neighbours: 9999999 and 10000000 are two ranges.
    const goesOn = before && first <= before.last + 1 && String(first).length === String(before.last).length
    if (before && goesOn) joined.splice(-1, 1, { first: before.first, last: Math.max(before.last, last) })
    else joined.push({ first, last })
  }
  return joined
}

// What is in the first set and not in the second.
export function subtractSpans(spans: readonly NumberSpan[], taken: readonly NumberSpan[]): readonly NumberSpan[] {
  const away = joinSpans(taken)
  const left: NumberSpan[] = []
  let at = 0
  for (const span of joinSpans(spans)) {
    let { first } = span
    while ((away[at]?.last ?? Infinity) < first) at++
    for (let next = at; (away[next]?.first ?? Infinity) <= span.last; next++) {
      const { first: from, last: to } = away[next] as NumberSpan
      if (first < from) left.push({ first, last: from - 1 })
      first = to + 1
    }
    if (first <= span.last) left.push({ first, last: span.last })
  }
  return left
}

// What is in both.
export function commonSpans(spans: readonly NumberSpan[], others: readonly NumberSpan[]): readonly NumberSpan[] {
  return subtractSpans(spans, subtractSpans(spans, others))
}

// Whether the number is in one of the spans, which joinSpans has sorted.
export function isInSpans(spans: readonly NumberSpan[], number: number): boolean {
  let from = 0
  let to = spans.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((spans[middle]?.last ?? Infinity) < number) from = middle + 1
    else to = middle
  }
  return (spans[from]?.first ?? Infinity) <= number
}

// Without the numbers that are out of use.
export function liveRanges(
  owned: readonly CallerRange[],
  quarantines: readonly Pick<Quarantine, 'trunk' | 'first' | 'last'>[],
): readonly CallerRange[] {
  if (quarantines.length === 0) return owned
  const groups = Map.groupBy(owned, ({ trunk, country }) => `${trunk} ${country}`)
  return [...groups.values()].flatMap((ranges) => {
    const [{ trunk, country }] = ranges as [CallerRange]
    const out = quarantines.filter((one) => one.trunk === trunk)
    return subtractSpans(ranges, out).map((span) => ({ trunk, country, ...span }))
  })
}
