import { readConfirmationNumbers } from '../db/confirmation-number.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { readCallerRanges } from '../db/trunk.ts'
import type { ConfirmationNumber } from '../domain/trunks/confirmation-number.ts'

export type ListedNumbers = {
  readonly kind: 'caller' | 'confirmation'
  readonly trunk: string
  // Where caller numbers are shown.
  readonly country: string | undefined
  readonly first: number
  readonly last: number
  // Given to no further subscriber, while some may still call it.
  readonly isRemoved: boolean
}

// Caller ranges, then confirmation numbers, those in a row as one range.
export async function listNumbers(
  { slots }: { readonly slots: SlotMap },
  trunk: string | undefined,
): Promise<readonly ListedNumbers[]> {
  const [ranges, numbers] = await Promise.all([
    readCallerRanges(slots.globalDatabase),
    readConfirmationNumbers(slots.globalDatabase),
  ])
  const callers = ranges.map((range) => ({ kind: 'caller' as const, isRemoved: false, ...range }))
  return [...callers, ...inRows(numbers)].filter((one) => trunk === undefined || one.trunk === trunk)
}

// The numbers are sorted.
function inRows(numbers: readonly ConfirmationNumber[]): readonly ListedNumbers[] {
  const rows: ListedNumbers[] = []
  for (const { number, trunk, isRemoved } of numbers) {
    const row = rows.at(-1)
    const goesOn = row?.last === number - 1 && row.trunk === trunk && row.isRemoved === isRemoved
    if (row && goesOn) rows.splice(-1, 1, { ...row, last: number })
    else rows.push({ kind: 'confirmation', trunk, country: undefined, first: number, last: number, isRemoved })
  }
  return rows
}
