import type { SlotMap } from '../../db/core/slot-map.ts'
import { readQuarantines } from '../../db/trunks/caller-number.ts'
import { readConfirmationNumbers } from '../../db/trunks/confirmation-number.ts'
import { readCallerRanges } from '../../db/trunks/trunk.ts'
import { numbersIn } from '../../domain/trunks/caller-pool.ts'
import type { ConfirmationNumber } from '../../domain/trunks/confirmation-number.ts'
import { commonSpans } from '../../domain/trunks/number-spans.ts'

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
export async function listNumbers(
  { slots }: { readonly slots: SlotMap },
  trunk: string | undefined,
): Promise<readonly ListedNumbers[]> {
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
