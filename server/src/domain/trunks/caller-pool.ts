// Our own numbers, as ranges that belong to a trunk and are shown in one country. A flash call needs a number that ends with
// its code, and goes over the trunk that owns it: a trunk never shows a number of another carrier.

export type CallerRange = {
  readonly trunk: string
  readonly country: string
  readonly first: number
  readonly last: number
}

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
  const counts = ranges.map((range) => countWithCode(range, code))
  let pick = Math.floor(random * counts.reduce((sum, count) => sum + count, 0))
  for (const [index, range] of ranges.entries()) {
    const count = counts[index] ?? 0
    if (pick < count) return lowestWithCode(range.first, code) + pick * codesAll
    pick -= count
  }
  return undefined
}

export function numbersIn(ranges: readonly CallerRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
}

// Any of them, for a voice call, which shows no code.
export function anyNumber(ranges: readonly CallerRange[], random: number): number | undefined {
  let pick = Math.floor(random * numbersIn(ranges))
  for (const { first, last } of ranges) {
    const count = last - first + 1
    if (pick < count) return first + pick
    pick -= count
  }
  return undefined
}

// The codes that some number of the ranges ends with, in order.
export function codesCovered(ranges: readonly CallerRange[]): readonly string[] {
  const isCovered = new Uint8Array(codesAll)
  for (const { first, last } of ranges) {
    for (let number = first; number <= last && number < first + codesAll; number++) isCovered[number % codesAll] = 1
  }
  return everyCode.filter((_, index) => isCovered[index + 1] === 1)
}

// What is left of a range without these numbers: none, one or two ranges.
export function withoutNumbers(
  range: CallerRange,
  { first, last }: { readonly first: number; readonly last: number },
): readonly CallerRange[] {
  return [
    { ...range, last: Math.min(range.last, first - 1) },
    { ...range, first: Math.max(range.first, last + 1) },
  ].filter((rest) => rest.first <= rest.last)
}

function lowestWithCode(first: number, code: string): number {
  const ahead = (Number(code) - (first % codesAll) + codesAll) % codesAll
  return first + ahead
}
