// Many rows at once, as the owner of the tables.

import type { Client } from 'pg'

export type Row = Readonly<Record<string, unknown>>

const rowsPerStatement = 2_000

// All rows have the columns of the first one. What follows the rows may say what happens to one that is there already, which is `known`.
export async function insertRows(client: Client, table: string, rows: readonly Row[], then = ''): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).join(', ')
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    await client.query(
      `INSERT INTO ${table} AS known (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1) ${then}`,
      [JSON.stringify(rows.slice(at, at + rowsPerStatement).map(asJson))],
    )
  }
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

function asJson(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : (value ?? null),
    ]),
  )
}
