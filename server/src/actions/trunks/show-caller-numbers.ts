// Our caller numbers as the console shows them: the codes of one country, every range with what is out of use, and the trunks.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readQuarantines } from '../../db/trunks/caller-number.ts'
import { readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { type CallerRange, codesAll, numbersIn, type Quarantine } from '../../domain/trunks/caller-pool.ts'
import { type CodeGap, codesIn, coverageOf } from '../../domain/trunks/code-coverage.ts'
import { commonSpans, liveRanges } from '../../domain/trunks/number-spans.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'

export type ShownNumbers = {
  readonly countries: readonly { readonly country: string; readonly numbers: number; readonly missing: number }[]
  // The country whose codes are shown; undefined without caller numbers.
  readonly country: string | undefined
  // A digit for each code from 0000 on: how many live numbers end with it, 9 for nine and more.
  readonly counts: string
  readonly gaps: readonly CodeGap[]
  // Gaps that are too many to list.
  readonly gapsLeft: number
  readonly ranges: readonly (CallerRange & { readonly out: number })[]
  readonly rangesLeft: number
  readonly quarantines: readonly Quarantine[]
  readonly trunks: readonly Trunk[]
}

// A list of single numbers may be a range each.
const listedMax = 500

export async function showCallerNumbers(
  { slots }: { readonly slots: SlotMap },
  wanted: string | undefined,
): Promise<ShownNumbers> {
  const { globalDatabase } = slots
  const [trunks, owned, quarantines] = await Promise.all([
    readTrunks(globalDatabase),
    readCallerRanges(globalDatabase),
    readQuarantines(globalDatabase),
  ])
  const numbers = { trunks, live: liveRanges(owned, quarantines), owned }
  const names = [...new Set(owned.map(({ country }) => country))]
  const countries = names
    .map((country) => ({
      country,
      numbers: numbersIn(owned.filter((range) => range.country === country)),
      coverage: coverageOf(numbers, country),
    }))
    // The country with the most numbers first.
    .toSorted((a, b) => b.numbers - a.numbers || (a.country < b.country ? -1 : 1))
  const shown = countries.find(({ country }) => country === wanted) ?? countries[0]
  const gaps = shown?.coverage.gaps ?? []
  return {
    countries: countries.map(({ country, numbers: count, coverage }) => ({
      country,
      numbers: count,
      missing: codesIn(coverage.gaps),
    })),
    country: shown?.country,
    counts: Array.from(shown?.coverage.counts ?? new Uint32Array(codesAll), (count) => Math.min(count, 9)).join(''),
    gaps: gaps.slice(0, listedMax),
    gapsLeft: codesIn(gaps.slice(listedMax)),
    ranges: owned.slice(0, listedMax).map((range) => ({
      ...range,
      out: numbersIn(
        commonSpans(
          [range],
          quarantines.filter(({ trunk }) => trunk === range.trunk),
        ),
      ),
    })),
    rangesLeft: Math.max(0, owned.length - listedMax),
    quarantines: quarantines.slice(0, listedMax),
    trunks: trunks.filter(({ isTest }) => !isTest),
  }
}
