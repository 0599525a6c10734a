// The list of verifications as a file: the same filters, the same rows, in CSV. It contains masks, and codes only where the list shows them.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { verificationEndpoints } from '@ringproof/contract/web/verifications.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OwnReader, Visitor } from '../actions/people/visitor.ts'
import type { OwnFilter, OwnRow } from '../actions/verifications/own-verifications-view.ts'
import { type CsvColumns, csvPageRows, sendCsv } from './csv-pages.ts'
import { admit } from './gate.ts'
import { readerOf } from './handlers/core/handlers.ts'
import { listFilter } from './handlers/verifications/verifications.ts'

export type ListPage = (
  reader: OwnReader,
  filter: OwnFilter,
  limit: number,
) => Promise<{ readonly verifications: readonly OwnRow[]; readonly nextBefore: number | null }>

const columnsIn = (currency: string): CsvColumns<OwnRow> => [
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
  ['currency', () => currency],
]

export function addExport(
  app: FastifyInstance,
  list: ListPage,
  currency: string,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const columns = columnsIn(currency)
  const endpoint = verificationEndpoints.verifications
  app.get('/web/verifications.csv', { schema: { querystring: endpoint.input } }, async (request, reply) => {
    const visitor = await visitorOf(request)
    admit(endpoint, visitor)
    const reader = readerOf(visitor)
    const filter = listFilter(request.query as WebInput<'verifications'>)
    return sendCsv(reply, 'verifications.csv', columns, filter.endId, async (endId) => {
      const { verifications, nextBefore } = await list(reader, { ...filter, endId }, csvPageRows)
      return { rows: verifications, next: nextBefore }
    })
  })
}
