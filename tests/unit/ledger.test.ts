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
import type { MicroRoubles } from '../../server/src/domain/money/money.ts'

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
        sums = entered(sums, move, amount as MicroRoubles)
        assert.equal(
          ledgerAccounts.reduce((sum, ledgerAccount) => sum + sums[ledgerAccount], 0),
          0,
        )
      }
    }),
  )
})

test('a consistent ledger has no discrepancies', () => {
  let sums = entered(emptyTotals, 'credit', 100 as MicroRoubles)
  sums = entered(sums, 'hold', 30 as MicroRoubles)
  assert.deepEqual(
    ledgerDiscrepancies({
      balance: 70 as MicroRoubles,
      held: 30 as MicroRoubles,
      pendingPrices: 30 as MicroRoubles,
      entries: sums,
    }),
    [],
  )
})

test('a seeded rouble is found in every ledger account', () => {
  const sums = entered(emptyTotals, 'credit', 100 as MicroRoubles)
  const good = {
    balance: 100 as MicroRoubles,
    held: 0 as MicroRoubles,
    pendingPrices: 0 as MicroRoubles,
    entries: sums,
  }
  assert.match(
    ledgerDiscrepancies({ ...good, balance: 101 as MicroRoubles }).join(),
    /balance is 101, its entries say 100/,
  )
  assert.match(ledgerDiscrepancies({ ...good, held: 1 as MicroRoubles }).join(), /held is 1, its entries say 0/)
  assert.match(
    ledgerDiscrepancies({ ...good, pendingPrices: 1 as MicroRoubles }).join(),
    /held is 0, open verifications cost 1/,
  )
  const missing = ledgerDiscrepancies({ ...good, entries: { ...sums, external: -99 as MicroRoubles } })
  assert.match(missing.join(), /the sum over all accounts is 1 micro-roubles, not zero/)
  assert.match(ledgerDiscrepancies({ ...good, balance: -1 as MicroRoubles }).join(), /below zero/)
})
