// What is lost when caller numbers of a trunk are removed or taken out of use: which codes flash calls can then no longer show.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readQuarantines } from '../../db/trunks/caller-number.ts'
import { readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { numbersIn, withoutNumbers } from '../../domain/trunks/caller-pool.ts'
import { type CodeRange, codesOnlyIn, coverageOf } from '../../domain/trunks/code-coverage.ts'
import { commonSpans, liveRanges } from '../../domain/trunks/number-spans.ts'

type Command = { readonly trunk: string; readonly first: number; readonly last: number }

export type RemovalPreview = {
  // Of the trunk, in use or not.
  readonly numbers: number
  // By country: a trunk may show numbers in several.
  readonly lost: readonly { readonly country: string; readonly codes: readonly CodeRange[] }[]
}

export async function previewNumberRemoval(
  { slots }: { readonly slots: SlotMap },
  { trunk, first, last }: Command,
): Promise<RemovalPreview> {
  const { globalDatabase } = slots
  const [trunks, owned, quarantines] = await Promise.all([
    readTrunks(globalDatabase),
    readCallerRanges(globalDatabase),
    readQuarantines(globalDatabase),
  ])
  const live = liveRanges(owned, quarantines)
  const own = owned.filter((range) => range.trunk === trunk)
  const hit = own.filter((range) => range.first <= last && first <= range.last)
  const rest = live.flatMap((range) => (range.trunk === trunk ? withoutNumbers(range, { first, last }) : [range]))
  const countries = [...new Set(hit.map(({ country }) => country))].toSorted()
  return {
    numbers: numbersIn(commonSpans(own, [{ first, last }])),
    lost: countries.map((country) => {
      const before = coverageOf({ trunks, live, owned }, country)
      const after = coverageOf({ trunks, live: rest, owned }, country)
      return { country, codes: codesOnlyIn(before.counts, after.counts) }
    }),
  }
}
