// The list of verifications as a file: the same filters, the same rows, in CSV. It is streamed page by page and bounded; it
// contains masks, and codes only where the list shows them.

import { Readable } from 'node:stream'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { verificationEndpoints } from '@ringproof/contract/web/verifications.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Visitor } from '../actions/find-visitor.ts'
import type { OwnFilter, OwnReader, OwnRow } from '../actions/list-own-verifications.ts'
import { type CsvValue, csvLine } from '../domain/csv.ts'
import { Denial } from '../errors.ts'
import { admit } from './gate.ts'
import { listFilter } from './handlers/verifications.ts'

export type ListPage = (
  reader: OwnReader,
  filter: OwnFilter,
  limit: number,
) => Promise<{ readonly verifications: readonly OwnRow[]; readonly nextBefore: number | null }>

const rowsMax = 100_000
const pageRows = 1_000
// Of a rare kind a page may be empty and still have cost a search.
const pagesMax = 200

const columns: readonly (readonly [string, (row: OwnRow) => CsvValue])[] = [
  ['time', ({ at }) => new Date(at).toISOString()],
  ['vendor_id', ({ id }) => id],
  ['service', ({ serviceId }) => serviceId],
  ['phone', ({ phoneMask }) => phoneMask],
  ['client', ({ client }) => client],
  ['mode', ({ mode }) => mode],
  ['status', ({ status }) => status],
  ['test', ({ isTest }) => isTest],
  ['code', ({ code }) => code],
  ['country', ({ country }) => country],
  ['provider', ({ provider }) => provider],
  ['region', ({ region }) => region],
  ['outcome', ({ reason }) => reason],
  ['sip_status', ({ sipStatus }) => sipStatus],
  ['ring_delay_ms', ({ ringDelayMs }) => ringDelayMs],
  ['charged', ({ charged }) => charged],
]

export function addExport(
  app: FastifyInstance,
  list: ListPage,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const endpoint = verificationEndpoints.verifications
  app.get('/web/verifications.csv', { schema: { querystring: endpoint.input } }, async (request, reply) => {
    const visitor = await visitorOf(request)
    admit(endpoint, visitor)
    if (!visitor?.membership) throw new Denial('forbidden')
    const filter = listFilter(request.query as WebInput<'verifications'>)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="verifications.csv"')
      .send(Readable.from(linesOf(list, visitor.membership, filter)))
  })
}

async function* linesOf(list: ListPage, reader: OwnReader, filter: OwnFilter): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\n`
  let { endId } = filter
  for (let rows = 0, pages = 0; rows < rowsMax && pages < pagesMax; pages += 1) {
    const page = await list(reader, { ...filter, endId }, pageRows)
    rows += page.verifications.length
    yield page.verifications.map((row) => `${csvLine(columns.map(([, value]) => value(row)))}\n`).join('')
    if (page.nextBefore === null) return
    endId = page.nextBefore
  }
}
