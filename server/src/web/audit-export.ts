// The audit log as a CSV file, for operators: the same filters.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { auditEndpoints } from '@ringproof/contract/web/audit.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditPage } from '../actions/installation/audit-log.ts'
import type { Visitor } from '../actions/people/visitor.ts'
import { type AuditFilter, auditColumns, auditFilter } from '../domain/installation/audit-filter.ts'
import { csvPageRows, sendCsv } from './csv-pages.ts'
import { admit } from './gate.ts'

export type ListAudit = (filter: AuditFilter, limit: number) => Promise<AuditPage>

export function addAuditExport(
  app: FastifyInstance,
  list: ListAudit,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const endpoint = auditEndpoints['audit-log']
  app.get('/web/audit.csv', { schema: { querystring: endpoint.input } }, async (request, reply) => {
    admit(endpoint, await visitorOf(request))
    const filter = auditFilter(request.query as WebInput<'audit-log'>)
    return sendCsv(reply, 'audit.csv', auditColumns, filter.beforeMicros, async (beforeMicros) => {
      const { entries, nextBefore } = await list({ ...filter, beforeMicros }, csvPageRows)
      return { rows: entries, next: nextBefore === undefined ? undefined : String(nextBefore) }
    })
  })
}
