// Why each trunk takes part in a call or does not, for a person who asks. The trunks that take part are those of routesFor, in the
// same order: they are decided by the same functions.

import { routeParts } from '@ringproof/contract/lists/trunks.ts'
import type { CallMode } from '@ringproof/contract/methods.ts'
import { countWithCode } from './caller-pool.ts'
import { servingTrunks, shownRanges, type TrunkRanges } from './routing.ts'

// 'tried': in this order. The others take no part: 'off'; 'elsewhere': does not serve the country; 'no-number': has no caller number
// for the country in use; 'no-code': none that ends with the code.
export type ComparedTrunk = {
  readonly trunk: string
  readonly priority: number
  readonly part: (typeof routeParts)[number]
}

type Wanted = { readonly country: string; readonly mode: CallMode; readonly code: string | undefined }

export function compareTrunks(
  { trunks, ranges }: TrunkRanges,
  { country, mode, code }: Wanted,
): readonly ComparedTrunk[] {
  const serving = servingTrunks(trunks, country)
  const idle = trunks.filter((trunk) => !serving.includes(trunk) && !trunk.isTest)
  const comparisons = [...serving, ...idle].map((trunk): ComparedTrunk => {
    const own = shownRanges(ranges, trunk, country)
    const hasCode = mode === 'voice' || code === undefined || own.some((range) => countWithCode(range, code) > 0)
    const part = !trunk.isOn
      ? 'off'
      : !serving.includes(trunk)
        ? 'elsewhere'
        : own.length === 0
          ? 'no-number'
          : hasCode
            ? 'tried'
            : 'no-code'
    return { trunk: trunk.name, priority: trunk.priority, part }
  })
  return comparisons.toSorted((a, b) => routeParts.indexOf(a.part) - routeParts.indexOf(b.part))
}
