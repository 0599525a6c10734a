import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  emptyTotals,
  entered,
  ledgerAccounts,
  ledgerDiscrepancies,
  type Move,
  moves,
} from '../../server/src/domain/money/ledger.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'

const moveNames = Object.keys(moves) as Move[]
const entries = fc.array(
  fc.record({ move: fc.constantFrom(...moveNames), amount: fc.integer({ min: 1, max: 1_000_000_000 }) }),
  { maxLength: 50 },
)

test('after every entry the sum over all ledger accounts is zero', () => {
  fc.assert(
    fc.property(entries, (history) => {
      let sums = emptyTotals
      for (const { move, amount } of history) {
        sums = entered(sums, move, amount as MicroAmount)
        assert.equal(
          ledgerAccounts.reduce((sum, ledgerAccount) => sum + sums[ledgerAccount], 0),
          0,
        )
      }
    }),
  )
})

test('a consistent ledger has no discrepancies', () => {
  let sums = entered(emptyTotals, 'credit', 100 as MicroAmount)
  sums = entered(sums, 'hold', 30 as MicroAmount)
  assert.deepEqual(
    ledgerDiscrepancies({
      balance: 70 as MicroAmount,
      held: 30 as MicroAmount,
      pendingPrices: 30 as MicroAmount,
      entries: sums,
    }),
    [],
  )
})

test('a seeded unit is found in every ledger account', () => {
  const sums = entered(emptyTotals, 'credit', 100 as MicroAmount)
  const good = {
    balance: 100 as MicroAmount,
    held: 0 as MicroAmount,
    pendingPrices: 0 as MicroAmount,
    entries: sums,
  }
  assert.match(
    ledgerDiscrepancies({ ...good, balance: 101 as MicroAmount }).join(),
    /balance is 101, its entries say 100/,
  )
  assert.match(ledgerDiscrepancies({ ...good, held: 1 as MicroAmount }).join(), /held is 1, its entries say 0/)
  assert.match(
    ledgerDiscrepancies({ ...good, pendingPrices: 1 as MicroAmount }).join(),
    /held is 0, open verifications cost 1/,
  )
  const missing = ledgerDiscrepancies({ ...good, entries: { ...sums, external: -99 as MicroAmount } })
  assert.match(missing.join(), /the sum over all accounts is 1 micro-units, not zero/)
  assert.match(ledgerDiscrepancies({ ...good, balance: -1 as MicroAmount }).join(), /below zero/)
})
