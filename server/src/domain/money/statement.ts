// An account's statement: payments one by one, charges summed up by day, with a running balance. Money that is held for a
// call in progress still belongs to the account, so holds and releases do not appear.

import type { statementKinds } from '@ringproof/contract/lists/money.ts'
import { minorDigits } from '@ringproof/contract/money-format.ts'
import { addMoney, type MicroAmount, negative } from './money.ts'

type StatementKind = (typeof statementKinds)[number]

export type StatementEntry = {
  // In UTC, such as 2026-11-16.
  readonly day: string
  readonly kind: StatementKind
  // Only of a payment that has not been rolled up with its day.
  readonly entryId: number | null
  readonly amount: MicroAmount
  // How many ledger entries the amount is the sum of.
  readonly entries: number
  // The operator's own ID of the payment.
  readonly reference: string | null
}

export type StatementLine = StatementEntry & {
  // Positive when the account gains.
  readonly change: MicroAmount
  readonly balance: MicroAmount
}

export type Statement = {
  readonly opening: MicroAmount
  readonly lines: readonly StatementLine[]
  readonly closing: MicroAmount
}

// The entries are all since the first day, oldest first, and lead to the balance of now. Those after the last day are only
// subtracted.
export function statementOf(
  entries: readonly StatementEntry[],
  balanceNow: MicroAmount,
  lastDay: string | undefined,
): Statement {
  const opening = entries.reduce((sum, entry) => addMoney(sum, negative(changeOf(entry))), balanceNow)
  const lines: StatementLine[] = []
  let balance = opening
  for (const entry of entries) {
    if (lastDay !== undefined && entry.day > lastDay) break
    const change = changeOf(entry)
    balance = addMoney(balance, change)
    lines.push({ ...entry, change, balance })
  }
  return { opening, lines, closing: balance }
}

function changeOf({ kind, amount }: StatementEntry): MicroAmount {
  return kind === 'credit' ? amount : negative(amount)
}

// The act of a month: what was charged, in whole minor units of the currency. A price may be a part of one, so a month is rounded together
// with everything before it: the acts of all months add up to the ledger to the minor unit, however many there are.

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
