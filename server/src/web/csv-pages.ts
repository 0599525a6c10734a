// A list as a CSV file: streamed page by page and bounded, so that a large one neither fills the memory nor runs forever.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type CsvColumns, csvLine } from '../domain/values/text.ts'

// From a cursor on; without a next one the list is at its end.
type PageOf<Row, Cursor> = (
  from: Cursor,
) => Promise<{ readonly rows: readonly Row[]; readonly next: Cursor | undefined | null }>

export const csvPageRows = 1_000
const rowsMax = 100_000
// Of a rare kind a page may be empty and still have cost a search.
const pagesMax = 200

export function sendCsv<Row, Cursor>(
  reply: FastifyReply,
  file: string,
  columns: CsvColumns<Row>,
  first: Cursor,
  pageOf: PageOf<Row, Cursor>,
): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(Readable.from(linesOf(columns, first, pageOf)))
}

async function* linesOf<Row, Cursor>(
  columns: CsvColumns<Row>,
  first: Cursor,
  pageOf: PageOf<Row, Cursor>,
): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\n`
  let from = first
  for (let sent = 0, pages = 0; sent < rowsMax && pages < pagesMax; pages += 1) {
    const { rows, next } = await pageOf(from)
    sent += rows.length
    yield rows.map((row) => `${csvLine(columns.map(([, value]) => value(row)))}\n`).join('')
    if (next === undefined || next === null) return
    from = next
  }
}
