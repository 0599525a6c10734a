// Money never appears or vanishes: every entry of the ledger moves an amount from one pot to another, so that over all
// pots the sum is zero after every entry.
//
//   outside     where an account's money comes from and goes back to: the operator's till
//   available   what the account can spend
//   held        set aside for a call that is still going on
//   earned      what calls that were made have cost
//
// A verification writes at most two entries. Sequence 1 holds its price. Sequence 2 closes the hold, once: captured when
// the call was made, released when it was not. A credit, a debit or an immediate charge is a single entry, sequence 1.

import { addMoney, type MicroRoubles, negative, zeroMoney } from './money.ts'

export const pots = ['outside', 'available', 'held', 'earned'] as const
export type Pot = (typeof pots)[number]

export const moves = {
  credit: { sequence: 1, from: 'outside', to: 'available' },
  debit: { sequence: 1, from: 'available', to: 'outside' },
  charge: { sequence: 1, from: 'available', to: 'earned' },
  hold: { sequence: 1, from: 'available', to: 'held' },
  capture: { sequence: 2, from: 'held', to: 'earned' },
  release: { sequence: 2, from: 'held', to: 'available' },
} as const satisfies Record<string, { sequence: 1 | 2; from: Pot; to: Pot }>
export type Move = keyof typeof moves

// What lies in each pot, by the ledger's entries alone.
export type PotSums = Record<Pot, MicroRoubles>

export const emptyPots: PotSums = { outside: zeroMoney, available: zeroMoney, held: zeroMoney, earned: zeroMoney }

export function entered(sums: PotSums, move: Move, amount: MicroRoubles): PotSums {
  const { from, to } = moves[move]
  return { ...sums, [from]: addMoney(sums[from], negative(amount)), [to]: addMoney(sums[to], amount) }
}

// The ledger of one account: what its row says beside what its entries say, and what its calls that are not over will cost.
export type LedgerTotals = {
  readonly balance: MicroRoubles
  readonly held: MicroRoubles
  readonly openPrices: MicroRoubles
  readonly entries: PotSums
}

// Sentences about what is wrong; none when the ledger are in order.
export function ledgerDiscrepancies(ledger: LedgerTotals): readonly string[] {
  const faults: string[] = []
  const { outside, available, held, earned } = ledger.entries
  const sum = addMoney(outside, earned, ledger.balance, ledger.held)
  if (sum !== 0) faults.push(`the sum over all pots is ${sum} micro-roubles, not zero`)
  if (available !== ledger.balance) faults.push(`balance is ${ledger.balance}, its entries say ${available}`)
  if (held !== ledger.held) faults.push(`held is ${ledger.held}, its entries say ${held}`)
  if (ledger.held !== ledger.openPrices) {
    faults.push(`held is ${ledger.held}, open verifications cost ${ledger.openPrices}: a hold that nobody will close`)
  }
  if (ledger.balance < 0) faults.push(`balance is ${ledger.balance}, below zero`)
  return faults
}
