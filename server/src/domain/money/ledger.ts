// Double entry: every ledger entry moves an amount from one ledger account to another, so the sum over all accounts is always
// zero.
//
//   external    the operator's side of credits and debits
//   available   what the account can spend
//   held        held for calls in progress
//   revenue     captured for successful calls
//
// A verification writes at most two entries. Sequence 1 holds its price. Sequence 2 closes the hold once: captured if the
// call succeeded, released if not. A credit, a debit or an immediate charge is a single entry, sequence 1.

import { addMoney, type MicroAmount, negative, zeroMoney } from './money.ts'

export const ledgerAccounts = ['external', 'available', 'held', 'revenue'] as const
export type LedgerAccount = (typeof ledgerAccounts)[number]

export const moves = {
  credit: { sequence: 1, from: 'external', to: 'available' },
  debit: { sequence: 1, from: 'available', to: 'external' },
  charge: { sequence: 1, from: 'available', to: 'revenue' },
  hold: { sequence: 1, from: 'available', to: 'held' },
  capture: { sequence: 2, from: 'held', to: 'revenue' },
  release: { sequence: 2, from: 'held', to: 'available' },
} as const satisfies Record<string, { sequence: 1 | 2; from: LedgerAccount; to: LedgerAccount }>
export type Move = keyof typeof moves

// The sum of each ledger account, from the entries alone.
export type AccountTotals = Record<LedgerAccount, MicroAmount>

export const emptyTotals: AccountTotals = {
  external: zeroMoney,
  available: zeroMoney,
  held: zeroMoney,
  revenue: zeroMoney,
}

export function entered(sums: AccountTotals, move: Move, amount: MicroAmount): AccountTotals {
  const { from, to } = moves[move]
  return { ...sums, [from]: addMoney(sums[from], negative(amount)), [to]: addMoney(sums[to], amount) }
}

// The ledger of one account: the amounts in its row, the sums of its entries, and the prices of its pending calls.
export type LedgerTotals = {
  readonly balance: MicroAmount
  readonly held: MicroAmount
  readonly pendingPrices: MicroAmount
  readonly entries: AccountTotals
}

// One sentence per discrepancy; empty if the ledger is correct.
export function ledgerDiscrepancies(ledger: LedgerTotals): readonly string[] {
  const faults: string[] = []
  const { external, available, held, revenue } = ledger.entries
  const sum = addMoney(external, revenue, ledger.balance, ledger.held)
  if (sum !== 0) faults.push(`the sum over all accounts is ${sum} micro-units, not zero`)
  if (available !== ledger.balance) faults.push(`balance is ${ledger.balance}, its entries say ${available}`)
  if (held !== ledger.held) faults.push(`held is ${ledger.held}, its entries say ${held}`)
  if (ledger.held !== ledger.pendingPrices) {
    faults.push(
      `held is ${ledger.held}, open verifications cost ${ledger.pendingPrices}: a hold that will never be closed`,
    )
  }
  if (ledger.balance < 0) faults.push(`balance is ${ledger.balance}, below zero`)
  return faults
}
