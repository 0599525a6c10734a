// Our caller numbers as the console shows them: the codes of one country, every range with what is out of use, and the trunks.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readCallerUse, readQuarantines } from '../../db/trunks/caller-number.ts'
import { readConfirmationNumbers } from '../../db/trunks/confirmation-number.ts'
import { readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { type CallerRange, codesAll, numbersIn, type Quarantine } from '../../domain/trunks/caller-pool.ts'
import {
  type CodeGap,
  type CodeRange,
  codesIn,
  coverageOf,
  type Spread,
  spreadOf,
} from '../../domain/trunks/code-coverage.ts'
import type { ConfirmationNumber } from '../../domain/trunks/confirmation-number.ts'
import { commonSpans, isInSpans, joinSpans, liveRanges } from '../../domain/trunks/number-spans.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'

type Deps = {
  readonly slots: SlotMap
}

type ShownNumbers = {
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

export async function showCallerNumbers({ slots }: Deps, wanted: string | undefined): Promise<ShownNumbers> {
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

// How evenly the newest calls have used the caller numbers of a country.

// Of each database. Enough to see unevenness, few enough to read at once.
const newestCalls = 20_000

type CallerUse = Spread & {
  // How many numbers were shown by so many calls: none, one, two and so on; the last one by that many and more.
  readonly histogram: readonly number[]
}

const histogramMax = 24

export async function showCallerUse({ slots }: Deps, country: string | undefined): Promise<CallerUse> {
  const [owned, ...used] = await Promise.all([
    readCallerRanges(slots.globalDatabase),
    ...slots.databases.map((database) => readCallerUse(database, newestCalls)),
  ])
  const ranges = joinSpans(owned.filter((range) => country === undefined || range.country === country))
  const calls = new Map<number, number>()
  for (const { number, calls: more } of used.flat()) {
    if (isInSpans(ranges, number)) calls.set(number, (calls.get(number) ?? 0) + more)
  }
  const spread = spreadOf([...calls.values()], numbersIn(ranges))
  const histogram = Array.from({ length: Math.min(spread.most, histogramMax) + 1 }, () => 0)
  histogram[0] = spread.unused
  for (const count of calls.values()) {
    const at = Math.min(count, histogramMax)
    histogram[at] = (histogram[at] ?? 0) + 1
  }
  return { ...spread, histogram }
}

type Coverage = {
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
export async function showCoverage({ slots }: Deps, country: string | undefined): Promise<readonly Coverage[]> {
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

export type ListedNumbers = {
  readonly kind: 'caller' | 'confirmation'
  readonly trunk: string
  // Where caller numbers are shown.
  readonly country: string | undefined
  readonly first: number
  readonly last: number
  // Given to no further subscriber, while some may still call it.
  readonly isRemoved: boolean
  // Caller numbers that no call shows now.
  readonly quarantined: number
}

// Caller ranges, then confirmation numbers, those in a row as one range.
export async function listNumbers({ slots }: Deps, trunk: string | undefined): Promise<readonly ListedNumbers[]> {
  const [ranges, numbers, quarantines] = await Promise.all([
    readCallerRanges(slots.globalDatabase),
    readConfirmationNumbers(slots.globalDatabase),
    readQuarantines(slots.globalDatabase),
  ])
  const callers = ranges.map((range) => {
    const out = quarantines.filter((one) => one.trunk === range.trunk)
    return { kind: 'caller' as const, isRemoved: false, quarantined: numbersIn(commonSpans([range], out)), ...range }
  })
  return [...callers, ...inRows(numbers)].filter((one) => trunk === undefined || one.trunk === trunk)
}

// The numbers are sorted.
function inRows(numbers: readonly ConfirmationNumber[]): readonly ListedNumbers[] {
  const rows: ListedNumbers[] = []
  for (const { number, trunk, isRemoved } of numbers) {
    const row = rows.at(-1)
    const goesOn = row?.last === number - 1 && row.trunk === trunk && row.isRemoved === isRemoved
    if (row && goesOn) rows.splice(-1, 1, { ...row, last: number })
    else {
      const fresh = { kind: 'confirmation', country: undefined, quarantined: 0 } as const
      rows.push({ ...fresh, trunk, first: number, last: number, isRemoved })
    }
  }
  return rows
}
