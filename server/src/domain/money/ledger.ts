// Money never appears or vanishes: every entry of the ledger moves an amount from one account to another, so that over all
// accounts the sum is zero after every entry.
//
//   external     where an account's money comes from and goes back to: the operator's till
//   available   what the account can spend
//   held        set aside for a call that is still going on
//   revenue      what calls that were made have cost
//
// A verification writes at most two entries. Sequence 1 holds its price. Sequence 2 closes the hold, once: captured when
// the call was made, released when it was not. A credit, a debit or an immediate charge is a single entry, sequence 1.

import { addMoney, type MicroRoubles, negative, zeroMoney } from './money.ts'

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

// What lies in each account, by the ledger's entries alone.
export type AccountTotals = Record<LedgerAccount, MicroRoubles>

export const emptyTotals: AccountTotals = {
  external: zeroMoney,
  available: zeroMoney,
  held: zeroMoney,
  revenue: zeroMoney,
}

export function entered(sums: AccountTotals, move: Move, amount: MicroRoubles): AccountTotals {
  const { from, to } = moves[move]
  return { ...sums, [from]: addMoney(sums[from], negative(amount)), [to]: addMoney(sums[to], amount) }
}

// The ledger of one account: what its row says beside what its entries say, and what its calls that are not over will cost.
export type LedgerTotals = {
  readonly balance: MicroRoubles
  readonly held: MicroRoubles
  readonly pendingPrices: MicroRoubles
  readonly entries: AccountTotals
}

// Sentences about what is wrong; none when the ledger are in order.
export function ledgerDiscrepancies(ledger: LedgerTotals): readonly string[] {
  const faults: string[] = []
  const { external, available, held, revenue } = ledger.entries
  const sum = addMoney(external, revenue, ledger.balance, ledger.held)
  if (sum !== 0) faults.push(`the sum over all accounts is ${sum} micro-roubles, not zero`)
  if (available !== ledger.balance) faults.push(`balance is ${ledger.balance}, its entries say ${available}`)
  if (held !== ledger.held) faults.push(`held is ${ledger.held}, its entries say ${held}`)
  if (ledger.held !== ledger.pendingPrices) {
    faults.push(
      `held is ${ledger.held}, open verifications cost ${ledger.pendingPrices}: a hold that nobody will close`,
    )
  }
  if (ledger.balance < 0) faults.push(`balance is ${ledger.balance}, below zero`)
  return faults
}
