// The list of verifications as a file: the same filters, the same rows, in CSV. It contains masks, and codes only where the list shows them.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { verificationEndpoints } from '@ringproof/contract/web/verifications.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OwnReader, Visitor } from '../actions/people/visitor.ts'
import type { OwnRow } from '../actions/verifications/own-verifications-view.ts'
import { customerColumns, withCurrency } from '../domain/verifications/shown-call.ts'
import type { VerificationFilter } from '../domain/verifications/verification-filter.ts'
import { csvPageRows, sendCsv } from './csv-pages.ts'
import { admit } from './gate.ts'
import { readerOf } from './handlers/core/handlers.ts'
import { verificationFilter } from './handlers/verifications/verification-filter.ts'

export type ListPage = (
  reader: OwnReader,
  filter: VerificationFilter,
  limit: number,
) => Promise<{ readonly verifications: readonly OwnRow[]; readonly nextBefore: number | null }>

export function addExport(
  app: FastifyInstance,
  list: ListPage,
  currency: string,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const columns = withCurrency(customerColumns, currency)
  const endpoint = verificationEndpoints.verifications
  app.get('/web/verifications.csv', { schema: { querystring: endpoint.input } }, async (request, reply) => {
    const visitor = await visitorOf(request)
    admit(endpoint, visitor)
    const reader = readerOf(visitor)
    const filter = verificationFilter(request.query as WebInput<'verifications'>)
    return sendCsv(reply, 'verifications.csv', columns, filter.endId, async (endId) => {
      const { verifications, nextBefore } = await list(reader, { ...filter, endId }, csvPageRows)
      return { rows: verifications, next: nextBefore }
    })
  })
}
