import type { SlotMap } from '../../db/core/slot-map.ts'
import { readLedgerTotals } from '../../db/money/ledger.ts'
import { ledgerDiscrepancies } from '../../domain/money/ledger.ts'
import { addMoney, type MicroAmount, zeroMoney } from '../../domain/money/money.ts'

type Audit = {
  readonly accounts: number
  // Sum of all ledger accounts of all accounts. Must be zero.
  readonly sum: MicroAmount
  readonly faults: readonly string[]
}

// Compares every account's balance with its ledger entries, and its held amount with its pending verifications.
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
