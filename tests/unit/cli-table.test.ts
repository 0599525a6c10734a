// Lists as text, JSON and CSV; times and durations as operators type them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountColumn, type Column, listResult, withCurrency } from '../../server/src/cli/core/table.ts'
import { parseDuration, parseTimeRange } from '../../server/src/cli/core/time-range.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { UsageError } from '../../server/src/process/errors.ts'

type Row = { readonly name: string | null; readonly amount: number }

const columns: readonly Column<Row>[] = [
  { name: 'name', head: 'NAME', value: ({ name }) => name },
  { name: 'amount', head: 'AMOUNT', value: ({ amount }) => amount, text: ({ amount }) => amount.toFixed(1) },
  { name: 'twice', value: ({ amount }) => amount * 2 },
]

test('one list gives a table, JSON and CSV', () => {
  const rows = [
    { name: 'one', amount: 1 },
    { name: null, amount: -20.5 },
  ]
  const { json, csv, text } = listResult(columns, rows, 'none')
  assert.equal(text, 'NAME  AMOUNT\none      1.0\n       -20.5')
  assert.deepEqual(json, [
    { name: 'one', amount: 1, twice: 2 },
    { name: null, amount: -20.5, twice: -41 },
  ])
  assert.equal(csv, 'name,amount,twice\none,1,2\n,-20.5,-41')
  assert.deepEqual(listResult(columns, [], 'none'), { json: [], csv: 'name,amount,twice', text: 'none' })
})

test('amounts are plain numbers for programs, and for people in the currency, aligned', () => {
  const open = { currency: 'EUR', money: (amount: MicroAmount) => `EUR ${(amount / 1e6).toFixed(2)}` }
  type Sum = { readonly sum: MicroAmount | null }
  const column: Column<Sum> = amountColumn(open, { name: 'sum', head: 'SUM', amount: ({ sum }) => sum })
  const sums = withCurrency(open, column)
  assert.deepEqual(withCurrency({ currency: undefined }, column), [])
  const rows = [{ sum: 12_500_000 as MicroAmount }, { sum: 400_500 as MicroAmount }, { sum: null }]
  const { csv, text } = listResult(sums, rows, 'none')
  assert.equal(text, 'SUM\nEUR 12.50\n EUR 0.40\n')
  assert.equal(csv, 'sum,currency\n12.5,EUR\n0.4005,EUR\n,EUR')
})

test('CSV quotes what would break a row, and disarms what a spreadsheet would run', () => {
  const fields = [
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['=HYPERLINK("http://example.org")', `"'=HYPERLINK(""http://example.org"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@sum', "'@sum"],
    ['\tx', '"\'\tx"'],
    ['plain = text', 'plain = text'],
  ] as const
  for (const [name, field] of fields) {
    assert.equal(listResult(columns.slice(0, 1), [{ name, amount: 0 }], '').csv, `name\n${field}`)
  }
})

test('times are durations back from now, dates or times in UTC; a date as end includes its day', () => {
  const range = (since: string | undefined, until: string | undefined) => parseTimeRange({ since, until })
  assert.deepEqual(range('2026-11-01', '2026-11-02'), {
    firstSecond: Date.UTC(2026, 10, 1) / 1_000,
    endSecond: Date.UTC(2026, 10, 3) / 1_000,
  })
  assert.deepEqual(range('2026-11-01T10:30', '2026-11-01 10:30:05Z'), {
    firstSecond: Date.UTC(2026, 10, 1, 10, 30) / 1_000,
    endSecond: Date.UTC(2026, 10, 1, 10, 30, 5) / 1_000,
  })
  const { firstSecond } = range('90m', undefined)
  const expected = Date.now() / 1_000 - 5_400
  assert(Math.abs(firstSecond - expected) <= 5, `${firstSecond} is not about ${expected}`)
  assert.equal(range(undefined, '2026-11-02').firstSecond, 0)
  for (const wrong of ['', 'now', '0h', '-1h', '1w', '2026-02-30x', '2026-13-01', '2026-11-01T25:00', '1e3h']) {
    assert.throws(() => range(wrong, undefined), UsageError, wrong)
  }
  assert.throws(() => range('2026-11-02', '2026-11-01'), /--since 2026-11-02 is not before --until 2026-11-01/)
  assert.equal(parseDuration('--since', '7d'), 604_800)
  assert.throws(() => parseDuration('--since', '2026-11-01'), /--since takes a duration/)
})
