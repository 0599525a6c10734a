import type { SlotMap } from '../../db/core/slot-map.ts'
import { readQuarantines } from '../../db/trunks/caller-number.ts'
import { readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { numbersIn } from '../../domain/trunks/caller-pool.ts'
import { type CodeGap, type CodeRange, codesIn, coverageOf } from '../../domain/trunks/code-coverage.ts'
import { liveRanges } from '../../domain/trunks/number-spans.ts'

export type Coverage = {
  readonly country: string
  // All caller numbers for the country, including those of trunks that are off and those that are out of use.
  readonly numbers: number
  // Available to a call now: over trunks that are on and serve the country.
  readonly codes: number
  // How many live numbers end with each code, by code.
  readonly counts: Uint32Array
  readonly gaps: readonly CodeGap[]
  // The codes of the gaps, whatever their cause.
  readonly missing: readonly CodeRange[]
}

// 0000 is not a code.
export const codesPossible = 9_999

// One country, or every country that has ranges.
export async function showCoverage(
  { slots }: { readonly slots: SlotMap },
  country: string | undefined,
): Promise<readonly Coverage[]> {
  const { globalDatabase } = slots
  const [trunks, owned, quarantines] = await Promise.all([
    readTrunks(globalDatabase),
    readCallerRanges(globalDatabase),
    readQuarantines(globalDatabase),
  ])
  const live = liveRanges(owned, quarantines)
  const countries = country === undefined ? new Set(owned.map((range) => range.country)) : [country]
  return [...countries].toSorted().map((shownIn) => {
    const { counts, gaps } = coverageOf({ trunks, live, owned }, shownIn)
    return {
      country: shownIn,
      numbers: numbersIn(owned.filter((range) => range.country === shownIn)),
      codes: codesPossible - codesIn(gaps),
      counts,
      gaps,
      missing: joined(gaps),
    }
  })
}

function joined(gaps: readonly CodeGap[]): readonly CodeRange[] {
  const rows: CodeRange[] = []
  for (const { first, last } of gaps) {
    const row = rows.at(-1)
    if (row && Number(row.last) === Number(first) - 1) rows.splice(-1, 1, { ...row, last })
    else rows.push({ first, last })
  }
  return rows
}
