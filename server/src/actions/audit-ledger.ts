import { readLedgerTotals } from '../db/ledger.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { ledgerDiscrepancies } from '../domain/money/ledger.ts'
import { addMoney, type MicroRoubles, zeroMoney } from '../domain/money/money.ts'

type Audit = {
  readonly accounts: number
  // over all accounts of all accounts; zero, or something is wrong.
  readonly sum: MicroRoubles
  readonly faults: readonly string[]
}

// Compares every account's row with its entries, and what it holds with its open verifications.
export async function auditLedger(deps: { readonly slots: SlotMap }): Promise<Audit> {
  const ledger = (await Promise.all(deps.slots.databases.map(readLedgerTotals))).flatMap((map) => [...map])
  return {
    accounts: ledger.length,
    sum: ledger.reduce(
      (sum, [, { balance, held, entries }]) => addMoney(sum, balance, held, entries.external, entries.revenue),
      zeroMoney,
    ),
    faults: ledger.flatMap(([id, account]) => ledgerDiscrepancies(account).map((fault) => `account ${id}: ${fault}`)),
  }
}
