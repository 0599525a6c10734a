// Calls of all customers as a CSV file, for operators: the filters and the rows of the list.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { callEndpoints } from '@ringproof/contract/web/calls.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Visitor } from '../actions/people/visitor.ts'
import type { CallQuery, CallRow } from '../actions/verifications/calls.ts'
import { type CsvColumns, csvPageRows, sendCsv } from './csv-pages.ts'
import { admit } from './gate.ts'
import { callQuery } from './handlers/verifications/calls.ts'

export type ListCalls = (
  query: CallQuery,
  limit: number,
) => Promise<{ readonly calls: readonly CallRow[]; readonly nextBefore: number | null }>

const columnsIn = (currency: string): CsvColumns<CallRow> => [
  ['time', ({ at }) => new Date(at).toISOString()],
  ['vendor_id', ({ id }) => id],
  ['account_id', ({ accountId }) => accountId],
  ['account', ({ accountName }) => accountName],
  ['phone', ({ phoneMask }) => phoneMask],
  ['mode', ({ mode }) => mode],
  ['status', ({ status }) => status],
  ['test', ({ isTest }) => isTest],
  ['country', ({ country }) => country],
  ['provider', ({ provider }) => provider],
  ['region', ({ region }) => region],
  ['trunk', ({ trunk }) => trunk],
  ['outcome', ({ reason }) => reason],
  ['sip_status', ({ sipStatus }) => sipStatus],
  ['side_at_fault', ({ atFault }) => atFault],
  ['ring_delay_ms', ({ ringDelayMs }) => ringDelayMs],
  ['charged', ({ charged }) => charged],
  ['currency', () => currency],
]

export function addCallExport(
  app: FastifyInstance,
  list: ListCalls,
  currency: string,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const columns = columnsIn(currency)
  const endpoint = callEndpoints.calls
  app.get('/web/calls.csv', { schema: { querystring: endpoint.input } }, async (request, reply) => {
    admit(endpoint, await visitorOf(request))
    const query = callQuery(request.query as WebInput<'calls'>)
    return sendCsv(reply, 'calls.csv', columns, query.endId, async (endId) => {
      const { calls, nextBefore } = await list({ ...query, endId }, csvPageRows)
      return { rows: calls, next: nextBefore }
    })
  })
}
