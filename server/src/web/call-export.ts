// Calls of all customers as a CSV file, for operators: the filters and the calls of the list.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { callEndpoints } from '@ringproof/contract/web/calls.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Visitor } from '../actions/people/visitor.ts'
import type { VerificationPage } from '../actions/verifications/verifications.ts'
import { fileRow, operatorColumns, withCurrency } from '../domain/verifications/shown-call.ts'
import type { VerificationFilter } from '../domain/verifications/verification-filter.ts'
import { csvPageRows, sendCsv } from './csv-pages.ts'
import { admit } from './gate.ts'
import { callFilter } from './handlers/verifications/calls.ts'

export type ListCalls = (query: VerificationFilter, limit: number) => Promise<VerificationPage>

export function addCallExport(
  app: FastifyInstance,
  list: ListCalls,
  currency: string,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const columns = withCurrency(operatorColumns, currency)
  const endpoint = callEndpoints.calls
  app.get('/web/calls.csv', { schema: { querystring: endpoint.input } }, async (request, reply) => {
    admit(endpoint, await visitorOf(request))
    const query = callFilter(request.query as WebInput<'calls'>)
    return sendCsv(reply, 'calls.csv', columns, query.endId, async (endId) => {
      const { verifications, nextBefore } = await list({ ...query, endId }, csvPageRows)
      return { rows: verifications.map(fileRow), next: nextBefore }
    })
  })
}
