// How lists are printed: a text table for people, JSON and CSV for programs.

import { type Command, Option } from 'commander'
import type { CommandResult } from './context.ts'

export type CellValue = string | number | boolean | null

export type Column<Row> = {
  // In JSON and CSV.
  readonly name: string
  readonly value: (row: Row) => CellValue
  // In the text table. A column without a heading is not shown there; a cell without its own text shows the value.
  readonly head?: string
  readonly text?: (row: Row) => string
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
    csv: csv(
      columns.map(({ name }) => name),
      rows.map((row) => columns.map(({ value }) => value(row))),
    ),
    text:
      rows.length === 0
        ? empty
        : table(
            shown.map(({ head = '' }) => head),
            rows.map((row) => shown.map((column) => cellOf(column, row))),
          ),
  }
}

// Every list has both.
export function withListFormats(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .addOption(new Option('--csv', 'print CSV with a header line').conflicts('json'))
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
  return /^-?\d+(\.\d+)?%?$/.test(cell)
}

// As RFC 4180 has it, with plain line ends.
function csv(names: readonly string[], rows: readonly (readonly CellValue[])[]): string {
  return [names, ...rows].map((row) => row.map(csvField).join(',')).join('\n')
}

// A spreadsheet would run a text such as =HYPERLINK(…) as a formula, and some texts are written by customers.
function csvField(value: CellValue): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
