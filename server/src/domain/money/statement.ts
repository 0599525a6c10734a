// An account's statement: payments one by one, charges summed up by day, with a running balance. Money that is held for a
// call in progress still belongs to the account, so holds and releases do not appear.

import type { statementKinds } from '@ringproof/contract/lists/money.ts'
import { addMoney, type MicroAmount, negative } from './money.ts'

export type StatementKind = (typeof statementKinds)[number]

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
