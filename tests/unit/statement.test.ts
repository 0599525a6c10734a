import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { type StatementEntry, statementOf } from '../../server/src/domain/money/statement.ts'

const entry = (day: string, kind: StatementEntry['kind'], amount: number): StatementEntry => ({
  day,
  kind,
  entryId: null,
  amount: amount as MicroAmount,
  entries: 1,
  reference: null,
})
const entries = [
  entry('2026-11-01', 'credit', 100),
  entry('2026-11-01', 'charges', 30),
  entry('2026-11-02', 'debit', 50),
  entry('2026-11-03', 'charges', 5),
]

test('a statement runs from the opening balance to the balance of now', () => {
  const { opening, lines, closing } = statementOf(entries, 25 as MicroAmount, undefined)
  assert.deepEqual([opening, closing], [10, 25])
  assert.deepEqual(
    lines.map(({ change, balance }) => [change, balance]),
    [
      [100, 110],
      [-30, 80],
      [-50, 30],
      [-5, 25],
    ],
  )
})

test('entries after the last day change only the opening balance', () => {
  const { opening, lines, closing } = statementOf(entries, 25 as MicroAmount, '2026-11-01')
  assert.deepEqual([opening, lines.length, closing], [10, 2, 80])
  assert.deepEqual(statementOf([], 7 as MicroAmount, undefined), { opening: 7, lines: [], closing: 7 })
})
