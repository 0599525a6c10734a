// How lists are printed: a text table for people, JSON and CSV for programs.

import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { type CsvColumns, type CsvValue, csvLine } from '../../domain/values/text.ts'
import type { CommandResult, DatabaseContext } from './context.ts'

export type CellValue = CsvValue

export type Column<Row> = {
  // In JSON and CSV.
  readonly name: string
  readonly value: (row: Row) => CellValue
  // In the text table. A column without a heading is not shown there; a cell without its own text shows the value.
  readonly head?: string
  readonly text?: (row: Row) => string
}

// A plain number for programs, in the currency for people. Every list with amounts has a column that names it, too.
export function amountColumn<Row>(
  { money }: Pick<DatabaseContext, 'money'>,
  { amount, ...named }: Pick<Column<Row>, 'name' | 'head'> & { readonly amount: (row: Row) => MicroAmount | null },
): Column<Row> {
  const value = (row: Row) => {
    const micro = amount(row)
    return micro === null ? null : toDecimal(micro)
  }
  const text = (row: Row) => {
    const micro = amount(row)
    return micro === null ? '' : money(micro)
  }
  return { ...named, value, text }
}

// None where no calls are sold.
export function withCurrency<Row>(
  { currency }: Pick<DatabaseContext, 'currency'>,
  ...columns: readonly Column<Row>[]
): readonly Column<Row>[] {
  return currency === undefined ? [] : [...columns, { name: 'currency', value: () => currency }]
}

// The columns of a file, those with a heading in the text table, too.
export function withHeads<Row>(
  columns: CsvColumns<Row>,
  heads: Readonly<Record<string, string | Pick<Column<Row>, 'head' | 'text'>>>,
): readonly Column<Row>[] {
  return columns.map(([name, value]) => {
    const head = heads[name]
    return { name, value, ...(typeof head === 'string' ? { head } : head) }
  })
}

// One list in all three forms. `empty` is what people read when there are no rows.
export function listResult<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: string,
): Required<Pick<CommandResult, 'text' | 'csv'>> & { readonly json: readonly Record<string, CellValue>[] } {
  const shown = columns.filter(({ head }) => head !== undefined)
  const cellOf = ({ value, text }: Column<Row>, row: Row) => text?.(row) ?? String(value(row) ?? '')
  return {
    json: rows.map((row) => Object.fromEntries(columns.map(({ name, value }) => [name, value(row)]))),
    csv: [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ value }) => value(row)))]
      .map(csvLine)
      .join('\n'),
    text:
      rows.length === 0
        ? empty
        : table(
            shown.map(({ head = '' }) => head),
            rows.map((row) => shown.map((column) => cellOf(column, row))),
          ),
  }
}

// Columns as wide as their widest cell, figures aligned right.
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [heads, ...rows]
    .map((row) =>
      row
        .map((cell, column) => (isFigure(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function isFigure(cell: string): boolean {
  return /^-?([A-Z]{3} )?[\d,]+(\.\d+)?%?$/.test(cell)
}
