// The act of a month: what was charged, in whole minor units of the currency. A price may be a part of one, so a month is rounded together
// with everything before it: the acts of all months add up to the ledger to the minor unit, however many there are.

import { minorDigits } from '@ringproof/contract/money-format.ts'
import { addMoney, type MicroAmount } from './money.ts'

export function actAmount(before: MicroAmount, charged: MicroAmount, currency: string): MicroAmount {
  const minorUnit = 10 ** (6 - minorDigits(currency))
  const rounded = (amount: MicroAmount) => Math.floor((amount + minorUnit / 2) / minorUnit) * minorUnit
  return (rounded(addMoney(before, charged)) - rounded(before)) as MicroAmount
}

// The first day of a month such as 2026-10, the last one, and the first of the next; undefined if there is no such month.
export function daysOfMonth(
  month: string,
): { readonly firstDay: string; readonly lastDay: string; readonly nextDay: string } | undefined {
  const first = new Date(`${month}-01T00:00:00Z`)
  if (!/^20\d\d-\d\d$/.test(month) || Number.isNaN(first.getTime())) return undefined
  const day = (date: number) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, date)).toISOString().slice(0, 10)
  return { firstDay: `${month}-01`, lastDay: day(0), nextDay: day(1) }
}
