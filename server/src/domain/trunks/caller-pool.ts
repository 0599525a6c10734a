// Our own numbers, as ranges that belong to a trunk and are shown in one country. A flash call needs a number that ends with
// its code, and goes over the trunk that owns it: a trunk never shows a number of another carrier.

export type CallerRange = {
  readonly trunk: string
  readonly country: string
  readonly first: number
  readonly last: number
}

// Numbers of a trunk that no call shows now. Without an end, until an operator returns them.
export type Quarantine = NumberSpan & {
  readonly trunk: string
  readonly reason: string
  readonly since: Date
  readonly until: Date | null
}

// Inclusive.
export type NumberSpan = { readonly first: number; readonly last: number }

export const codesAll = 10_000

// 0000 is not a code.
export const everyCode: readonly string[] = Array.from({ length: codesAll - 1 }, (_, index) =>
  String(index + 1).padStart(4, '0'),
)

// How many numbers of the range end with the code.
export function countWithCode({ first, last }: CallerRange, code: string): number {
  const lowest = lowestWithCode(first, code)
  return lowest > last ? 0 : Math.floor((last - lowest) / codesAll) + 1
}

// One of them, uniformly. The random fraction is in [0, 1).
export function numberWithCode(ranges: readonly CallerRange[], code: string, random: number): number | undefined {
  const { wide, singles } = poolOf(ranges)
  const own = singles.get(Number(code)) ?? []
  const counts = wide.map((range) => countWithCode(range, code))
  let pick = Math.floor(random * counts.reduce((sum, count) => sum + count, own.length))
  if (pick < own.length) return own[pick]
  pick -= own.length
  for (const [index, range] of wide.entries()) {
    const count = counts[index] ?? 0
    if (pick < count) return lowestWithCode(range.first, code) + pick * codesAll
    pick -= count
  }
  return undefined
}

export function numbersIn(ranges: readonly NumberSpan[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
}

// Any of them, for a voice call, which shows no code.
export function anyNumber(ranges: readonly CallerRange[], random: number): number | undefined {
  const { ends } = poolOf(ranges)
  const pick = Math.floor(random * (ends.at(-1) ?? 0))
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] ?? 0) > pick) high = middle
    else low = middle + 1
  }
  const range = ranges[low]
  return range && range.first + pick - (ends[low - 1] ?? 0)
}

// What a call would otherwise scan all ranges for. A list of single numbers is a range each, so there may be tens of thousands.
type Pool = {
  readonly wide: readonly CallerRange[]
  // Numbers of all other ranges, by their last four digits.
  readonly singles: ReadonlyMap<number, readonly number[]>
  // How many numbers there are up to the end of each range.
  readonly ends: readonly number[]
}

const narrowMax = 100
// Ranges are read again whenever they change, as a new array.
const pools = new WeakMap<readonly CallerRange[], Pool>()

function poolOf(ranges: readonly CallerRange[]): Pool {
  const known = pools.get(ranges)
  if (known) return known
  const isNarrow = ({ first, last }: CallerRange) => last - first < narrowMax
  const numbers = ranges.filter(isNarrow).flatMap(({ first, last }) => numbersFrom(first, last))
  let end = 0
  const pool: Pool = {
    wide: ranges.filter((range) => !isNarrow(range)),
    singles: Map.groupBy(numbers, (number) => number % codesAll),
    ends: ranges.map(({ first, last }) => (end += last - first + 1)),
  }
  pools.set(ranges, pool)
  return pool
}

function numbersFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

// The codes that some number of the ranges ends with, in order.
export function codesCovered(ranges: readonly CallerRange[]): readonly string[] {
  const counts = countByCode(ranges)
  return everyCode.filter((_, index) => (counts[index + 1] ?? 0) > 0)
}

// How many numbers of the ranges end with each code, by code.
export function countByCode(ranges: readonly NumberSpan[]): Uint32Array {
  const counts = new Uint32Array(codesAll)
  for (const { first, last } of ranges) {
    const whole = Math.floor((last - first + 1) / codesAll)
    if (whole > 0) for (const [code, count] of counts.entries()) counts[code] = count + whole
    for (let number = first + whole * codesAll; number <= last; number++) {
      counts[number % codesAll] = (counts[number % codesAll] ?? 0) + 1
    }
  }
  return counts
}

// What is left of a range without these numbers: none, one or two ranges.
export function withoutNumbers<Span extends NumberSpan>(range: Span, { first, last }: NumberSpan): readonly Span[] {
  return [
    { ...range, last: Math.min(range.last, first - 1) },
    { ...range, first: Math.max(range.first, last + 1) },
  ].filter((rest) => rest.first <= rest.last)
}

function lowestWithCode(first: number, code: string): number {
  const ahead = (Number(code) - (first % codesAll) + codesAll) % codesAll
  return first + ahead
}
