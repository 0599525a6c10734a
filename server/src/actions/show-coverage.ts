import type { SlotMap } from '../db/slot-map.ts'
import { readCallerRanges, readTrunks } from '../db/trunk.ts'
import { codesFor } from '../domain/trunks/routing.ts'

type Coverage = {
  readonly country: string
  // All caller numbers for the country, including those of trunks that are off.
  readonly numbers: number
  // Available to a call now: over trunks that are on and serve the country.
  readonly codes: number
  readonly missing: readonly CodeRange[]
}

// Inclusive.
export type CodeRange = { readonly first: string; readonly last: string }

// 0000 is not a code.
export const codesPossible = 9_999

// One country, or every country that has ranges.
export async function showCoverage(
  { slots }: { readonly slots: SlotMap },
  country: string | undefined,
): Promise<readonly Coverage[]> {
  const [trunks, ranges] = await Promise.all([readTrunks(slots.globalDatabase), readCallerRanges(slots.globalDatabase)])
  const countries = country === undefined ? new Set(ranges.map((range) => range.country)) : [country]
  return [...countries].toSorted().map((shownIn) => {
    const codes = codesFor(trunks, ranges, shownIn)
    return {
      country: shownIn,
      numbers: ranges
        .filter((range) => range.country === shownIn)
        .reduce((sum, { first, last }) => sum + last - first + 1, 0),
      codes: codes.length,
      missing: gapsBetween(codes),
    }
  })
}

// The codes are sorted.
function gapsBetween(codes: readonly string[]): readonly CodeRange[] {
  const fences = [0, ...codes.map(Number), codesPossible + 1]
  return fences.slice(1).flatMap((code, index) => {
    const before = fences[index] ?? 0
    return code - before > 1 ? [{ first: asCode(before + 1), last: asCode(code - 1) }] : []
  })
}

function asCode(code: number): string {
  return String(code).padStart(4, '0')
}
